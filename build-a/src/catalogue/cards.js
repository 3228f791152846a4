// The cards that the catalogue reads: by identifier, many at once, and kept until they are written.
// Only what everybody may see is kept.
import { statementsAbout } from '../queries/records.js';
import { openKept } from './kept.js';
import { pause } from './turns.js';
/** How much is kept, and what a typical card takes of it, in bytes. */
const room = 64 * 1024 * 1024;
const cardSize = 2000;
/** For how many records it is known when they were written last. */
const written = 200_000;
/** How many records one query asks for; between two of them whoever else waits is answered. */
const atOnce = 50;
export function readCards({ store, addresses, resources, lens }) {
    const kept = openKept(room, () => cardSize);
    // Counts the writes, so that what was read before one is not kept after it.
    let writes = 0;
    /** By the key of a record, the number of the write that it was in last; before `unknown`, nobody knows. */
    const lastWrites = new Map();
    let unknown = 0;
    const find = (references) => gather(references, keep);
    const pass = (references) => gather(references, () => undefined);
    async function gather(references, keepNew) {
        const found = new Map();
        const missing = new Map();
        for (const reference of references) {
            const key = keyOf(reference);
            const card = kept.get(key);
            if (card)
                found.set(key, card);
            else
                missing.set(key, reference);
        }
        const wanted = [...missing.values()];
        for (let start = 0; start < wanted.length; start += atOnce) {
            if (start > 0)
                await pause();
            const before = writes;
            const cards = await read(wanted.slice(start, start + atOnce), [addresses.graphs.public]);
            for (const [key, card] of cards) {
                found.set(key, card);
                if (writes === before)
                    keepNew(key, card);
            }
        }
        return (reference) => found.get(keyOf(reference));
    }
    async function findWhole(reference) {
        const { public: open, private: hidden } = addresses.graphs;
        return (await read([reference], [open, hidden])).get(keyOf(reference));
    }
    async function read(references, graphs) {
        if (store.read)
            return readWhole(references, graphs);
        const owners = new Map();
        const statements = references.map((reference) => [reference, []]);
        for (const [{ target, id }, own] of statements)
            for (const subject of lens.subjectsOf(resources[target], id))
                owners.set(subject.value, own);
        const subjects = statements.flatMap(([{ target, id }]) => lens.subjectsOf(resources[target], id));
        for (const { s, p, o } of await store.select(statementsAbout(subjects, graphs)))
            if (s && p && o)
                owners.get(s.value)?.push({ s: s.value, p: p.value, o: o.value });
        return new Map(statements
            .filter(([, own]) => own.length > 0)
            .map(([reference, own]) => [
            keyOf(reference),
            lens.fromStatements(resources[reference.target], reference.id, own),
        ]));
    }
    /** From a store whose selects may show a record half written. */
    async function readWhole(references, graphs) {
        const records = (await store.read?.(references.map(keyOf))) ?? new Map();
        return new Map(references.flatMap((reference) => {
            const quads = records.get(keyOf(reference));
            return quads ? [[keyOf(reference), cardIn(reference, quads, graphs)]] : [];
        }));
    }
    function keep(key, card) {
        // Another process may write it, or it may come to be what was not acknowledged.
        if (!store.read)
            kept.keep(key, card);
    }
    function note(changes) {
        writes += 1;
        if (lastWrites.size > written) {
            lastWrites.clear();
            unknown = writes;
        }
        for (const { reference, quads } of changes) {
            const key = keyOf(reference);
            lastWrites.set(key, writes);
            kept.drop(key);
            if (quads)
                keep(key, cardIn(reference, quads, [addresses.graphs.public]));
        }
    }
    const areAsAt = (moment, keys) => 
    // Where others write, nobody here is told.
    !store.read && moment >= unknown && keys.every((key) => (lastWrites.get(key) ?? 0) <= moment);
    /** The card that the store would answer with now. */
    function cardIn({ target, id }, quads, graphs) {
        const shown = quads.filter(({ graph }) => graphs.some((one) => graph.equals(one)));
        const statements = shown.map(({ subject, predicate, object }) => ({
            s: subject.value,
            p: predicate.value,
            o: object.value,
        }));
        return lens.fromStatements(resources[target], id, statements);
    }
    return { find, pass, findWhole, note, now: () => writes, areAsAt };
}
/** The key of a record: also the one under which the store keeps it. */
export const keyOf = ({ target, id }) => `${target}/${id}`;
//# sourceMappingURL=cards.js.map