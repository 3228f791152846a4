// What the index keeps of a record: the keys that it is ordered by, the values that filters take, and
// the texts that are searched. Made from what everybody may see of it, so nothing else is ever found.
import { filtersOf } from '../../model/facts.js';
import { toMicroseconds } from '../clock.js';
/** The fields that the index has orders for: also all times, which say when the catalogue changed. */
export const orderedFields = ({ fields }) => fields.filter(({ order, kind }) => order ?? kind === 'time');
export function readEntries(resource, { addresses, lens }) {
    const uses = [
        ...orderedFields(resource).map((field, place) => ({ field, take: keyTo(field, place) })),
        ...filtersOf(resource).map((filter, place) => ({
            field: filter,
            take: valueTo(filter, place),
        })),
        ...resource.fields.filter(({ search }) => search).map((field) => ({ field, take: takeText })),
    ];
    const byProperty = new Map();
    for (const use of uses) {
        const property = use.field.path.at(-1)?.value ?? '';
        byProperty.set(property, [...(byProperty.get(property) ?? []), use]);
    }
    return {
        /** The properties of the statements that an entry is made from. */
        properties: new Set(byProperty.keys()),
        entryOf(id, statements) {
            const thing = addresses.thing(resource.name, id);
            const record = addresses.record(resource.name, id);
            const entry = {
                id,
                keys: orderedFields(resource).map(() => undefined),
                values: filtersOf(resource).map(() => []),
                texts: [],
            };
            for (const { s, p, o } of statements)
                for (const { field, take } of byProperty.get(p) ?? [])
                    if (lens.subjectOf(field, thing, record).value === s)
                        take(entry, o);
            return entry;
        },
    };
}
const keyTo = (field, place) => ({ keys }, object) => {
    keys[place] = keyOf(field, object);
};
function keyOf({ kind }, object) {
    if (kind === 'time')
        return toMicroseconds(object);
    return kind === 'integer' ? Number(object) : object;
}
const valueTo = (filter, place) => ({ values }, object) => {
    const value = 'leading' in filter ? beginningOf(object, filter.leading) : object;
    if (!values[place]?.includes(value))
        values[place]?.push(value);
};
/** So many characters, as SPARQL counts them. */
const beginningOf = (text, length) => Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('');
const takeText = ({ texts }, object) => void texts.push(object.toLowerCase());
//# sourceMappingURL=entry.js.map