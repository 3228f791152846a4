// The read shapes: what a list, a record and a referring record show of a card.
import { textOf, valuesOf } from './card.js';
import { unset } from './facts.js';
/** Shows a record. Its cards have to know all that `referencesOf` named. */
export function show(resources, { resource, card, cards }, view) {
    const fields = resource.fields.filter((field) => (view !== 'list' || field.list) && isOpen(field, card, view));
    return Object.fromEntries(fields.map((field) => [
        field.as,
        showField(resources, field, card, shownBy(field, view), cards),
    ]));
}
/** A private field is open while its record is public, and to those who asked for it by right. */
export const isOpen = (field, card, view) => !field.private || card.public !== false || view === 'private';
const shownBy = (field, view) => view === 'list' ? field.shows?.list : field.shows?.detail;
function showField(resources, field, card, shown, cards) {
    if (!shown)
        return card[field.name] ?? unset(field);
    const showings = valuesIn(field, card).map((value) => field.target
        ? showReference(resources, { target: field.target, id: value }, field, shown, cards)
        : showEntry(field, value, shown));
    return field.many ? showings : (showings[0] ?? '');
}
function showReference(resources, reference, field, shown, cards) {
    const resource = resources[reference.target];
    const card = cards(reference);
    // Of a record that was deleted since, the identifier is left, and the keys that a list would show.
    const keys = card ? shown : shown.filter((key) => field.shows?.list.includes(key) ?? true);
    const known = card ?? { [resource.id.name]: reference.id };
    return Object.fromEntries(keys.map((key) => {
        const [name, nested] = typeof key === 'string' ? [key] : key;
        const inner = resource.byName.get(name);
        return [name, inner ? showField(resources, inner, known, nested, cards) : ''];
    }));
}
function showEntry(field, code, shown) {
    const entry = field.vocabulary?.find(code) ?? {
        code,
        label: '',
        uri: field.vocabulary?.concept(code).value ?? '',
    };
    return Object.fromEntries(Object.entries(entry).filter(([key]) => shown.includes(key)));
}
/** The records that a showing of the card names directly. */
export function referencesOf(resource, card, view) {
    return resource.fields
        .filter((field) => view !== 'list' || field.list)
        .flatMap((field) => referencesIn(field, card));
}
/**
 * The records that are named by those that the card names, such as a held zine's makers: all of
 * them, since not every format shows what JSON does. Lists show none.
 */
export function furtherReferencesOf(resources, resource, card, view, cards) {
    if (view === 'list')
        return [];
    return referencesOf(resource, card, view).flatMap((reference) => {
        const named = cards(reference);
        return named ? referencesOf(resources[reference.target], named, view) : [];
    });
}
/** The records that one field names. */
export function referencesIn(field, card) {
    const { target } = field;
    return target ? valuesIn(field, card).map((id) => ({ target, id })) : [];
}
/** The values of a field, one or many, as a list. */
export function valuesIn(field, card) {
    if (field.many)
        return valuesOf(card, field.name);
    const value = textOf(card, field.name);
    return value === '' ? [] : [value];
}
//# sourceMappingURL=read-shape.js.map