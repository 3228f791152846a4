// What is known of each field, joined from the three places that say it: the row (src/model), the
// property shape (shapes/) and the property's description (ontology/). Where one is missing, the
// service does not start.
import { Store } from 'n3';
import { foaf, rdf, rdfs, sh, xsd } from '../rdf/namespaces.js';
import { resourceNames } from './addresses.js';
import { agents } from './agents.js';
import { elementOf } from './elements.js';
import { holdings } from './holdings.js';
import { repositories } from './repositories.js';
import { zines } from './zines.js';
export const filtersOf = ({ fields, derivedFilters = [] }) => [
    ...fields.filter(({ filter }) => filter),
    ...derivedFilters,
];
/** The declarations contradict or miss each other; the message names the field. */
export class FactMissing extends Error {
}
/**
 * The resources, with all that is said of their fields.
 * @throws FactMissing for a row without property shape or description, and for a property shape without row
 */
export function joinResources(addresses, declarations) {
    const said = {
        shapes: new Store([...declarations.shapes]),
        ontology: new Store([...declarations.ontology]),
        vocabularies: declarations.vocabularies,
    };
    const rows = [zines, agents, repositories, holdings].map((resource) => resource(addresses.term));
    const classes = new Map(rows.map((resource) => [resource.class.value, resource.name]));
    const joined = rows.map((resource) => joinResource(resource, said, classes));
    return Object.fromEntries(resourceNames.map((name) => [name, joined.find((resource) => resource.name === name)]));
}
function joinResource(rows, said, classes) {
    const shape = nodeShapeOf(said.shapes, rows.class, rows.noun);
    const own = propertyShapes(said.shapes, shape);
    const record = propertyShapes(said.shapes, nodeShapeOf(said.shapes, foaf('Document'), 'record'));
    const fields = rows.rows.map((row) => {
        const shapes = (row.ofRecord ? record : own).get(keyOf(pathOf(row)));
        const where = `${rows.noun.toLowerCase()}.${row.name}`;
        if (!shapes)
            throw new FactMissing(`${where}: ${nameOf(row)} has no property shape`);
        return joinField(row, shapes, said, classes, where);
    });
    const known = new Set(rows.rows.map((row) => keyOf(pathOf(row))));
    for (const path of own.keys())
        if (!known.has(path))
            throw new FactMissing(`${rows.noun.toLowerCase()}: ${path} has no row`);
    if (known.size < fields.length)
        throw new FactMissing(`${rows.noun.toLowerCase()}: two rows share a property`);
    const [id] = fields;
    if (!id)
        throw new FactMissing(`${rows.noun.toLowerCase()} has no rows`);
    return {
        ...rows,
        fields,
        written: fields.filter((field) => !field.ofRecord),
        id,
        title: fields.find(({ element }) => element === 'title'),
        byName: new Map(fields.map((field) => [field.name, field])),
        shape,
    };
}
function joinField(row, shapes, said, classes, where) {
    const path = pathOf(row);
    const property = path.at(-1);
    const say = (predicate) => shapes.flatMap((shape) => said.shapes.getObjects(shape, predicate, null))[0];
    const number = (predicate) => {
        const value = say(predicate)?.value;
        return value === undefined ? undefined : Number(value);
    };
    const describe = (predicate) => {
        const value = said.ontology.getObjects(property ?? null, predicate, null)[0]?.value;
        if (value === undefined)
            throw new FactMissing(`${where}: ${nameOf(row)} has no rdfs:${localName(predicate)}`);
        return value;
    };
    const vocabulary = vocabularyOf(said, say(sh('node')), where);
    const target = classes.get(say(sh('class'))?.value ?? '');
    const minCount = number(sh('minCount'));
    const maxLength = number(sh('maxLength'));
    return {
        ...row,
        as: row.as ?? row.name,
        path,
        kind: kindOf({ vocabulary, target, say }),
        many: number(sh('maxCount')) !== 1,
        required: minCount !== undefined,
        filled: (minCount ?? 0) > 0,
        maxLength: maxLength === undefined ? undefined : maxLength - (row.prefix?.length ?? 0),
        minimum: number(sh('minInclusive')),
        pattern: say(sh('pattern'))?.value,
        byDefault: defaultOf(say(sh('defaultValue'))),
        vocabulary,
        literal: say(sh('datatype')) !== undefined,
        target,
        label: describe(rdfs('label')),
        comment: describe(rdfs('comment')),
        refines: said.ontology
            .getObjects(property ?? null, rdfs('subPropertyOf'), null)
            .map((object) => object.value),
        element: property && elementOf(property, said.ontology),
    };
}
function kindOf({ vocabulary, target, say, }) {
    if (vocabulary)
        return 'code';
    if (target)
        return 'reference';
    const values = say(sh('node'))?.value;
    if (values?.endsWith('#url'))
        return 'url';
    if (values?.endsWith('#email'))
        return 'email';
    const datatype = say(sh('datatype'));
    if (datatype?.equals(xsd('integer')))
        return 'integer';
    if (datatype?.equals(xsd('boolean')))
        return 'boolean';
    if (datatype?.equals(xsd('dateTime')))
        return 'time';
    return say(sh('nodeKind')) ? 'link' : 'text';
}
// The shape of a code says, at the end of its one path, which scheme the concept has to be in.
function vocabularyOf(said, shape, where) {
    if (!shape)
        return undefined;
    const [property] = said.shapes.getObjects(shape, sh('property'), null);
    const [scheme] = property ? said.shapes.getObjects(property, sh('hasValue'), null) : [];
    if (!scheme)
        return undefined;
    const vocabulary = said.vocabularies.get(scheme.value);
    if (!vocabulary)
        throw new FactMissing(`${where}: there is no vocabulary <${scheme.value}>`);
    return vocabulary;
}
function defaultOf(term) {
    if (term?.termType !== 'Literal')
        return undefined;
    if (term.datatype.equals(xsd('integer')))
        return Number(term.value);
    return term.datatype.equals(xsd('boolean')) ? term.value === 'true' : term.value;
}
function nodeShapeOf(shapes, target, noun) {
    const [shape] = shapes.getSubjects(sh('targetClass'), target, null);
    if (shape?.termType !== 'NamedNode')
        throw new FactMissing(`${noun}: <${target.value}> has no node shape`);
    return shape;
}
/** The property shapes of a node shape, by their path. */
function propertyShapes(shapes, nodeShape) {
    const byPath = new Map();
    for (const shape of shapes.getObjects(nodeShape, sh('property'), null)) {
        const key = keyOf(readPath(shapes, shape));
        byPath.set(key, [...(byPath.get(key) ?? []), shape]);
    }
    return byPath;
}
/** What an unset field reads as (specification: Conventions). */
export const unset = (field) => {
    if (field.many)
        return [];
    return field.kind === 'integer' ? null : '';
};
/** The properties of a property shape's path, one or a sequence. */
export function readPath(shapes, shape) {
    const [path] = shapes.getObjects(shape, sh('path'), null);
    if (!path)
        return [];
    const steps = [];
    let [rest] = [path];
    while (shapes.countQuads(rest, rdf('first'), null, null) > 0) {
        steps.push(...shapes.getObjects(rest, rdf('first'), null));
        const [next] = shapes.getObjects(rest, rdf('rest'), null);
        if (!next)
            break;
        rest = next;
    }
    return steps.length > 0 ? steps : [path];
}
export const keyOf = (path) => path.map((step) => step.value).join(' ');
const pathOf = ({ property }) => 'termType' in property ? [property] : property;
const nameOf = (row) => `<${keyOf(pathOf(row))}>`;
const localName = (term) => term.value.slice(term.value.indexOf('#') + 1);
//# sourceMappingURL=facts.js.map