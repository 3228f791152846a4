// A sheet as the formats that are written by hand ask it: texts, terms with their labels, and the
// records it names, each of which can be asked in turn.
import { textOf, valuesOf } from '../model/card.js';
import { referencesIn } from '../model/read-shape.js';
import { matchesOf } from '../model/vocabulary.js';
export function sourceOf(shelves, { resource, card, cards }) {
    const { resources, addresses } = shelves;
    const id = textOf(card, resource.id.name);
    const fieldOf = (name) => {
        const field = resource.byName.get(name);
        if (!field)
            throw new Error(`${resource.name} have no field ${name}`);
        return field;
    };
    const values = (name) => {
        const field = fieldOf(name);
        return field.private && card.public === false ? [] : valuesIn(field, card);
    };
    return {
        id,
        iri: addresses.thing(resource.name, id).value,
        values,
        text: (name) => values(name)[0] ?? '',
        terms: (name) => values(name).map((code) => termOf(fieldOf(name), code)),
        named: (name) => referencesIn(fieldOf(name), card).flatMap((reference) => {
            const found = cards(reference);
            return found
                ? [sourceOf(shelves, { resource: resources[reference.target], card: found, cards })]
                : [];
        }),
    };
}
function valuesIn(field, card) {
    if (field.many)
        return valuesOf(card, field.name);
    const value = card[field.name] ?? '';
    return value === '' ? [] : [String(value)];
}
function termOf({ vocabulary, name }, code) {
    if (!vocabulary)
        throw new Error(`${name} has no vocabulary`);
    return {
        code,
        label: vocabulary.find(code)?.label ?? code,
        uri: vocabulary.concept(code).value,
        matches: matchesOf(vocabulary, code),
    };
}
//# sourceMappingURL=source.js.map