// What a request asks for: which record, what of a list, and which press prints the answer.
import { lastOf, queryOf } from './query.js';
/** The filters, the search and the order that the query names. */
export function soughtOf(ctx) {
    const query = queryOf(ctx);
    return {
        filters: query,
        search: query.get('search') ?? '',
        ordering: (query.get('ordering') ?? '').split(',').map((name) => name.trim()),
    };
}
/** What a page of ours asks for that shows a few: the first of those that are sought. */
export const firstOf = (pageSize, { filters = {}, search = '' } = {}) => ({
    filters: new Map(Object.entries(filters)),
    search,
    ordering: [],
    page: 1,
    pageSize,
});
/** The press of the format that was settled on; the guarded one for `?safe=1`, where there is one. */
export function pressOf(ctx, presses) {
    const press = presses.find(({ name }) => name === ctx.state.format.name);
    if (!press)
        throw new Error(`nothing prints ${ctx.state.format.name}`);
    const isSafe = ['1', 'true'].includes(lastOf(ctx, 'safe'));
    return isSafe && press.safe ? press.safe : press;
}
/** The identifier in the path, in NFC as all identifiers are stored. */
export const idOf = (ctx) => (ctx.params.id ?? '').normalize('NFC');
//# sourceMappingURL=asked.js.map