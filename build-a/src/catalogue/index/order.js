// Orders of records: by a field, by several, and by the identifier where all else is the same.
// Records without a value come last, whatever the direction.
import { compareCodePoints } from '../../rdf/terms.js';
import { docsOf, placeOf, sort } from './docs.js';
/** Compares records by these keys, one after the other. */
export const compareBy = (directions, ids) => (a, b) => {
    for (const { keys, descending } of directions) {
        const [left, right] = [keys[a], keys[b]];
        if (left === right)
            continue;
        if (left === undefined)
            return 1;
        if (right === undefined)
            return -1;
        const difference = compareKeys(left, right);
        if (difference !== 0)
            return descending ? -difference : difference;
    }
    return compareCodePoints(ids[a] ?? '', ids[b] ?? '');
};
const compareKeys = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b));
export function openOrder(keys, ids) {
    const compare = compareBy([{ keys, descending: false }], ids);
    let docs = docsOf(new Int32Array(0));
    let ranked;
    function rank() {
        const all = docs.all();
        const ranks = new Int32Array(ids.length);
        let last = 0;
        for (let place = 0; place < all.length; place += 1) {
            const doc = all[place] ?? 0;
            const key = keys[doc];
            // From one key to the next; and from the last key to where there is none.
            if (place > 0 && key !== keys[all[place - 1] ?? 0])
                last += 1;
            ranks[doc] = last;
        }
        const lastDoc = all.at(-1);
        if (lastDoc === undefined || keys[lastDoc] !== undefined)
            last += 1;
        return { ranks, last };
    }
    return {
        all: () => docs.all(),
        insert(doc) {
            docs.insert(placeOf(docs, doc, compare), doc);
            ranked = undefined;
        },
        remove(doc) {
            docs.remove(placeOf(docs, doc, compare));
            ranked = undefined;
        },
        *fill(content) {
            docs = docsOf(yield* sort(content, compare));
            ranked = undefined;
        },
        ranks: () => (ranked ??= rank()),
    };
}
/**
 * The records that are marked, or all, in the order of several steps: from the last of them to the
 * first, each time by counting, which leaves those of equal rank as they are.
 */
export function arrange(byId, steps, marks) {
    const last = steps.at(-1);
    // The last step is taken already where it goes the way in which all records are kept.
    const isTaken = last?.descending === false;
    const all = (isTaken ? last.order : byId).all();
    const found = marks ? all.filter((doc) => marks[doc] === 1) : all.slice();
    return (isTaken ? steps.slice(0, -1) : steps).reduceRight(sortByRank, found);
}
function sortByRank(docs, { order, descending }) {
    const { ranks, last } = order.ranks();
    const places = new Int32Array(last + 2);
    const own = new Int32Array(docs.length);
    for (let place = 0; place < docs.length; place += 1) {
        const rank = ranks[docs[place] ?? 0] ?? last;
        const taken = descending && rank < last ? last - 1 - rank : rank;
        own[place] = taken;
        places[taken + 1] = (places[taken + 1] ?? 0) + 1;
    }
    for (let rank = 0; rank < last; rank += 1)
        places[rank + 1] = (places[rank + 1] ?? 0) + (places[rank] ?? 0);
    const sorted = new Int32Array(docs.length);
    for (let place = 0; place < docs.length; place += 1) {
        const rank = own[place] ?? 0;
        const next = places[rank] ?? 0;
        sorted[next] = docs[place] ?? 0;
        places[rank] = next + 1;
    }
    return sorted;
}
//# sourceMappingURL=order.js.map