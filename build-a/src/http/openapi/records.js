// The shapes of the four resources: written, changed, in a list, on its own, and a page of them.
import { readField, writtenField } from './fields.js';
import { pageSchema } from './reference.js';
/** The names of a resource's components. */
export const shapesOf = ({ noun }) => ({
    written: `${noun}Write`,
    changed: `Patched${noun}Write`,
    listed: `${noun}List`,
    page: `Paginated${noun}List`,
    detailed: `${noun}Detail`,
});
/** A noun in a sentence, as in `an agent`. */
export const aOf = (noun, article = 'a') => `${article}${/^[AEIOU]/.test(noun) ? 'n' : ''} ${noun.toLowerCase()}`;
/** The components of a resource, by name. */
export function recordSchemas(resources, resource) {
    const shapes = shapesOf(resource);
    return [
        [shapes.written, writtenShape(resource)],
        [shapes.changed, changedShape(resource)],
        [shapes.listed, listShape(resources, resource)],
        [shapes.page, pageSchema(shapes.listed)],
        [shapes.detailed, detailShape(resources, resource)],
    ];
}
function writtenShape({ noun, written }) {
    return {
        type: 'object',
        description: `${aOf(noun, 'A')} as it is sent. Fields that are not of this shape are ignored.`,
        properties: Object.fromEntries(written.map((field) => [
            field.name,
            {
                ...writtenField(field),
                ...(field.byDefault === undefined ? {} : { default: field.byDefault }),
            },
        ])),
        required: written.filter((field) => field.required).map((field) => field.name),
    };
}
// Without defaults: what a PATCH leaves out stays as it is.
function changedShape({ noun, written }) {
    return {
        type: 'object',
        description: `The fields of ${aOf(noun)} that are to change.`,
        properties: Object.fromEntries(written.map((field) => [field.name, writtenField(field)])),
    };
}
function listShape(resources, resource) {
    return {
        type: 'object',
        description: `${aOf(resource.noun, 'A')} in a list.`,
        ...shownShape(resources, resource, resource.fields.filter((field) => field.list), 'list'),
    };
}
function detailShape(resources, resource) {
    return {
        type: 'object',
        description: `${aOf(resource.noun, 'A')} on its own.`,
        ...shownShape(resources, resource, resource.fields, 'detail'),
    };
}
function shownShape(resources, { name }, fields, view) {
    return {
        properties: Object.fromEntries(fields.map((field) => [field.as, readField(resources, name, field, field.shows?.[view])])),
        // A private field is left out of what its record shows to most.
        required: fields.filter((field) => !field.private).map((field) => field.as),
    };
}
//# sourceMappingURL=records.js.map