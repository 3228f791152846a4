// Lists: a page of one, the whole of one, and how much there is in all.
import { filtersOf } from '../model/facts.js';
import { compareCodePoints, text } from '../rdf/terms.js';
import { NoSuchPage } from './failures.js';
import { searchTerms } from './search.js';
import { openTurns } from './turns.js';
// How many records are read at once for a list that is walked through: whoever asks for something else
// meanwhile waits for them. With 200 they wait twenty times as long, for an export that is no faster.
const batch = 8;
const everything = { filters: new Map(), search: '', ordering: [] };
export function openLists(parts) {
    const { finder, resources, lens, cards, gather, prints } = parts;
    const turns = openTurns();
    async function list(name, request, view = 'list') {
        const { count, references } = await pageOfList(name, request);
        const known = await cards.find(references);
        const results = references.map(known).filter((card) => card !== undefined);
        return { count, sheets: await gather(resources[name], results, view, 'find') };
    }
    async function printList(name, request) {
        const { count, references } = await pageOfList(name, request);
        return { count, items: await prints.items(references) };
    }
    async function pageOfList(name, request) {
        const offset = (request.page - 1) * request.pageSize;
        const span = { limit: request.pageSize, offset };
        const { count, ids } = await finder.page(listingOf(resources[name], request, lens), span);
        // The first page of nothing is an empty page.
        if (offset > 0 && offset >= count)
            throw new NoSuchPage();
        return { count, references: referencesTo(name, ids) };
    }
    const referencesTo = (name, ids) => ids.map((id) => ({ target: name, id }));
    async function tally(name, filterName, sought = everything) {
        const resource = resources[name];
        const filter = filtersOf(resource).find((one) => one.name === filterName);
        if (!filter)
            throw new Error(`no filter of ${name} is called ${filterName}`);
        const listing = listingOf(resource, sought, lens);
        const filters = listing.filters.filter((one) => one.filter.name !== filterName);
        const counts = await finder.tally({ ...listing, filters }, filter);
        return [...counts]
            .map(([term, count]) => ({ value: filterValue(lens, filter, term), count }))
            .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value));
    }
    async function walk(name, sought) {
        const ids = await finder.whole(listingOf(resources[name], sought, lens));
        return { count: ids.length, batches: batchesOf(resources[name], ids) };
    }
    /** The records, a batch at a time; between two of them whoever else waits is answered. */
    async function* batchesOf(resource, ids) {
        for (let start = 0; start < ids.length; start += batch) {
            const some = referencesTo(resource.name, ids.slice(start, start + batch));
            yield await turns.take(async () => {
                const known = await cards.pass(some);
                const found = some.map(known).filter((card) => card !== undefined);
                return gather(resource, found, 'detail', 'pass');
            });
        }
    }
    return { list, printList, walk, tally, survey: () => finder.survey() };
}
/** What a request asks for, in the terms of the resource; what it does not know is passed over. */
export function listingOf(resource, request, lens) {
    const filters = filtersOf(resource).flatMap((filter) => {
        const value = request.filters.get(filter.name);
        return value ? [{ filter, term: filterTerm(lens, filter, value) }] : [];
    });
    // A field named twice orders by the first of the two.
    const order = new Map();
    for (const name of request.ordering) {
        const field = resource.byName.get(name.replace(/^-/, ''));
        if (field?.order && !order.has(field.name))
            order.set(field.name, { field, descending: name.startsWith('-') });
    }
    const newest = resource.byName.get('created_at');
    const byDefault = newest ? [{ field: newest, descending: true }] : [];
    return {
        resource,
        filters,
        terms: resource.fields.some((field) => field.search) ? searchTerms(request.search) : [],
        order: order.size > 0 ? [...order.values()] : byDefault,
    };
}
// A boolean takes true and false; anything else is a text, which no boolean equals.
function filterTerm(lens, filter, value) {
    if ('leading' in filter)
        return text(value);
    const isBoolean = filter.kind === 'boolean' && ['true', 'false'].includes(value);
    return lens.termOf(filter, isBoolean ? value === 'true' : value);
}
const filterValue = (lens, filter, term) => 'leading' in filter ? term : String(lens.valueOf(filter, term));
//# sourceMappingURL=lists.js.map