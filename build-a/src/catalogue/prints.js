// Records as JSON, on their own and in lists, as everybody may see them: kept until something that they
// show is written. What is kept is what `show` would say now, or it is not used.
import { createHash } from 'node:crypto';
import { furtherReferencesOf, referencesOf, show, } from '../model/read-shape.js';
import { keyOf } from './cards.js';
import { openKept } from './kept.js';
/** How much is kept: some 30,000 typical zines. */
const limit = 96 * 1024 * 1024;
export function openPrints({ resources, cards, gather }, most = limit) {
    const shelf = openKept(most, ({ json, from }) => 2 * json.length + 100 * from.length + 200);
    async function record(reference) {
        const key = `detail ${keyOf(reference)}`;
        const kept = holding(key);
        if (kept)
            return kept;
        const [made] = await make([reference], 'detail');
        if (made)
            shelf.keep(key, made);
        return made;
    }
    async function items(references) {
        const found = references.map((reference) => holding(`list ${keyOf(reference)}`));
        const missing = references.filter((_, index) => !found[index]);
        const made = await make(missing, 'list');
        missing.forEach((reference, index) => {
            const one = made[index];
            if (one)
                shelf.keep(`list ${keyOf(reference)}`, one);
        });
        const next = made.values();
        return found.flatMap((kept) => (kept ?? next.next().value)?.json ?? []);
    }
    function holding(key) {
        const kept = shelf.get(key);
        return kept?.holds() ? kept : undefined;
    }
    /** The records of one resource, anew. */
    async function make(references, view) {
        const [first] = references;
        if (!first)
            return [];
        const made = cards.now();
        const resource = resources[first.target];
        const known = await cards.find(references);
        const there = references.map(known);
        const found = there.filter((card) => card !== undefined);
        const sheets = (await gather(resource, found, view, 'find')).values();
        return references.map((reference, index) => {
            const sheet = there[index] && sheets.next().value;
            if (!sheet)
                return undefined;
            const from = namedBy(reference, sheet, view);
            return { ...print(sheet, view), from, holds: () => cards.areAsAt(made, from) };
        });
    }
    function print(sheet, view) {
        const json = JSON.stringify(show(resources, sheet, view));
        return { json, version: view === 'list' ? '' : markOf(json) };
    }
    const namedBy = (reference, { resource, card, cards }, view) => [
        reference,
        ...referencesOf(resource, card, view),
        ...furtherReferencesOf(resources, resource, card, view, cards),
    ].map(keyOf);
    return { record, items };
}
/** A mark that two texts share only if they are the same. */
export const markOf = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 27);
//# sourceMappingURL=prints.js.map