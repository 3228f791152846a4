// What answers lists: which records are in one, in what order, and how many there are of each kind.
// Asked of the store, in the SPARQL that defines what a list is; an index that answers faster has to
// answer the same.
import { countOf, pageOf, tallyOf, wholeOf } from '../queries/lists.js';
import { firstAndLastChange, topicOf } from '../queries/records.js';
import { keyOf } from './cards.js';
/** Asks the store each time. */
export function askStore({ store, addresses, resources, lens }) {
    const graph = addresses.graphs.public;
    async function has(reference) {
        if (store.read)
            return (await store.read([keyOf(reference)])).size > 0;
        const record = addresses.record(reference.target, reference.id);
        return (await store.select(topicOf(record, graph))).length > 0;
    }
    async function page(listing, span) {
        const count = await counted(listing);
        if (span.offset >= count)
            return { count, ids: [] };
        return { count, ids: idsOf(await store.select(pageOf(listing, graph, span))) };
    }
    const whole = async (listing) => idsOf(await store.select(wholeOf(listing, graph)));
    const idsOf = (rows) => rows.flatMap(({ s }) => (s ? [addresses.identifierOf(s.value)] : []));
    async function counted(listing) {
        const [row] = await store.select(countOf(listing, graph));
        return Number(row?.count?.value ?? 0);
    }
    async function tally(listing, filter) {
        const rows = await store.select(tallyOf(listing, filter, graph));
        return new Map(rows.flatMap(({ value, count }) => (value ? [[value.value, Number(count?.value)]] : [])));
    }
    async function survey() {
        const counts = await Promise.all(Object.values(resources).map(async (resource) => {
            const all = { resource, filters: [], terms: [], order: [] };
            return [resource.name, await counted(all)];
        }));
        const [times] = await store.select(firstAndLastChange(graph));
        const timeOf = (time) => time && lens.timeOf(time.value);
        return {
            counts: Object.fromEntries(counts),
            issued: timeOf(times?.first),
            modified: timeOf(times?.last),
        };
    }
    return { has, page, whole, tally, survey, note: () => undefined };
}
//# sourceMappingURL=finder.js.map