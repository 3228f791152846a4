// The librarian: lists, reads, creates, replaces, changes and removes records. Knows no HTTP: it is
// given parsed JSON, answers with sheets, and throws what failed.
import { textOf } from '../model/card.js';
import { show } from '../model/read-shape.js';
import { Invalid, readSent, readWhole } from '../model/write-shape.js';
import { referringTo } from '../queries/records.js';
import { encodeSegment } from '../rdf/terms.js';
import { keyOf, readCards } from './cards.js';
import { cascades } from './cascade.js';
import { checkWith } from './check.js';
import { startClock } from './clock.js';
import { Changed, NotFound } from './failures.js';
import { openLists } from './lists.js';
import { openLocks } from './locks.js';
import { keepHidden } from './privacy.js';
import { markOf, openPrints } from './prints.js';
import { gatherWith } from './sheets.js';
export async function openCatalogue(parts) {
    const { store, finder, addresses, resources, lens, judge } = parts;
    const graph = addresses.graphs.public;
    const now = startClock((await finder.survey()).modified);
    const cards = readCards(parts);
    const gather = gatherWith(cards, resources);
    const prints = openPrints({ resources, cards, gather });
    const check = checkWith({ addresses, cards, judge });
    const locks = openLocks();
    let edition = 0;
    async function read(name, id, view = 'detail') {
        return found(name, await cardOf({ target: name, id }, view), view);
    }
    async function print(name, id) {
        const printed = await prints.record({ target: name, id });
        if (!printed)
            throw new NotFound();
        return printed;
    }
    async function create(name, body, { view = 'detail' } = {}) {
        const resource = resources[name];
        const reading = readWhole(resource, body);
        const id = textOf(reading.card, resource.id.name);
        const reference = { target: name, id };
        return locks.one(keyOf(reference), async () => {
            await store.settle();
            const taken = (await finder.has(reference))
                ? [[resource.id.name, `${resource.noun} with this ${resource.id.name} already exists.`]]
                : [];
            await check(resource, reading.card, reading, new Map(taken));
            refuseTooLong(resource.id.name, id);
            const time = now();
            await write(reference, { ...reading.card, created_at: time, updated_at: time }, true);
            return read(name, id, view);
        });
    }
    /** @throws Invalid for an identifier that its shape takes and the store would cut off */
    function refuseTooLong(field, id) {
        const { longestIdentifier = Infinity } = store;
        if (encodeSegment(id).length <= longestIdentifier)
            return;
        const message = `Ensure this field has no more than ${longestIdentifier} bytes when it is percent-encoded.`;
        throw new Invalid(new Map([[field, [message]]]));
    }
    async function replace(name, id, body, how = {}) {
        const resource = resources[name];
        return rewrite(name, id, how, (before) => {
            const reading = readWhole(resource, body);
            return how.view === 'private'
                ? reading
                : { ...reading, card: keepHidden(resource, before, reading.card, body) };
        });
    }
    async function change(name, id, body, how = {}) {
        return rewrite(name, id, how, (before) => {
            const reading = readSent(resources[name], body);
            return { ...reading, card: { ...before, ...reading.card }, judged: reading.card };
        });
    }
    /** Writes what becomes of a record; `judged` are the fields to be judged, all unless it says. */
    async function rewrite(name, id, { view = 'detail', expects }, rewritten) {
        const resource = resources[name];
        const reference = { target: name, id };
        return locks.one(keyOf(reference), async () => {
            await store.settle();
            const before = await cards.findWhole(reference);
            if (!before)
                throw new NotFound();
            await meet(reference, expects);
            const { card, failures, judged = card } = rewritten(before);
            const idNow = textOf(card, resource.id.name);
            const moved = idNow !== id && !failures.has(resource.id.name)
                ? new Map([[resource.id.name, 'This field may not be changed.']])
                : new Map();
            await check(resource, card, { card: judged, failures }, moved);
            const created_at = before.created_at ?? '';
            await write(reference, { ...card, created_at, updated_at: now() }, false);
            return read(name, id, view);
        });
    }
    async function remove(name, id, { expects } = {}) {
        const reference = { target: name, id };
        // With everything to itself: a holding made meanwhile would outlive its zine.
        return locks.all(async () => {
            await store.settle();
            if (!(await cards.find([reference]))(reference))
                throw new NotFound();
            await meet(reference, expects);
            const gone = [reference, ...(await dependants(reference))];
            await commit(gone.map((one) => ({ reference: one, quads: undefined })));
        });
    }
    async function dependants({ target, id }) {
        const found = await Promise.all(cascades[target].map(async ({ resource, field }) => {
            const property = resources[resource].byName.get(field)?.path[0];
            if (!property)
                throw new Error(`${resource} have no field ${field}`);
            const rows = await store.select(referringTo(addresses.thing(target, id), property, graph));
            return rows.flatMap(({ s }) => s ? [{ target: resource, id: addresses.identifierOf(s.value) }] : []);
        }));
        return found.flat();
    }
    /** @throws Changed when the record is not what the writer expects it to be */
    async function meet(reference, expects) {
        if (!expects)
            return;
        const views = ['detail', 'private'];
        const states = await Promise.all(views.map((view) => read(reference.target, reference.id, view)));
        if (!expects(states.map(({ version }) => version)))
            throw new Changed();
    }
    const write = (reference, card, isNew) => commit([{ reference, quads: lens.toQuads(resources[reference.target], card), isNew }]);
    async function commit(changes) {
        try {
            await store.commit(changes.map(({ reference, ...change }) => ({ key: keyOf(reference), ...change })));
        }
        finally {
            // Also of a commit that failed it may not be known how much of it is there.
            edition += 1;
        }
        cards.note(changes);
        finder.note(changes);
    }
    async function cardOf(reference, view) {
        const card = view === 'private'
            ? await cards.findWhole(reference)
            : (await cards.find([reference]))(reference);
        if (!card)
            throw new NotFound();
        return card;
    }
    async function found(name, card, view) {
        const [sheet] = await gather(resources[name], [card], view, 'find');
        if (!sheet)
            throw new NotFound();
        const json = JSON.stringify(show(resources, sheet, view));
        return { sheet, json, version: markOf(json) };
    }
    const lists = openLists({ finder, resources, lens, cards, gather, prints });
    return {
        ...lists,
        // Where others write, it is another one each second.
        edition: () => (store.read ? Math.floor(performance.now() / 1000) : edition),
        unchanged() {
            const moment = edition;
            return () => !store.read && moment === edition;
        },
        find: (references) => cards.find(references),
        read,
        print,
        create,
        replace,
        change,
        remove,
    };
}
//# sourceMappingURL=catalogue.js.map