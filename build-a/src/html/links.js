// Where the pages are: the same addresses as the API's, and the desk's.
import { resourceNames } from '../model/addresses.js';
import { geographyNames, vocabularyNames } from '../model/declarations.js';
import { encodeSegment } from '../rdf/terms.js';
/** A list with these parameters; those without a value are left out. */
export function listPath(name, parameters = {}) {
    return withQuery(`/api/${name}/`, new URLSearchParams(parameters));
}
export const recordPath = (name, id) => `/api/${name}/${encodeSegment(id)}/`;
/** The page of a vocabulary, or of one of its entries. */
export function entryPath({ name }, code) {
    const isGeography = geographyNames.includes(name);
    const list = `/api/${isGeography ? 'geography' : 'vocabularies'}/${name}/`;
    return code === undefined ? list : `${list}${encodeSegment(code)}/`;
}
/** Whether a vocabulary is served as a list, with a page for each of its entries. */
export const isServed = ({ name }) => served.has(name);
const served = new Set([...vocabularyNames, ...geographyNames]);
/** The concept scheme as a document. */
export const schemePath = (vocabulary) => entryPath(vocabulary).replace(/^\/api(.*)\/$/, '$1');
export const placesPath = '/api/geography/places/';
export const placePath = (id) => `${placesPath}${id}/`;
export const homePath = '/api/';
export const schemaPath = '/api/schema/swagger-ui/';
export const descriptionPath = '/api/schema/';
export const sparqlPath = '/sparql';
/** The pages on which people write, which no client of the API needs; `:` marks what is told of one thing. */
export const deskRoutes = {
    login: '/desk/login',
    logout: '/desk/logout',
    account: '/desk/account',
    accounts: '/desk/accounts',
    accountOf: '/desk/accounts/:name',
    create: (name) => `/desk/${name}/new`,
    edit: (name) => `/desk/${name}/edit/:id`,
    remove: (name) => `/desk/${name}/remove/:id`,
};
/** The same as links, to one thing where a page is of one. */
export const desk = {
    ...deskRoutes,
    accountOf: (name) => leadTo(deskRoutes.accountOf, name),
    edit: (name, id) => leadTo(deskRoutes.edit(name), id),
    remove: (name, id) => leadTo(deskRoutes.remove(name), id),
};
function leadTo(route, one) {
    return route.replace(/:\w+$/, () => encodeSegment(one));
}
/** The parts of the catalogue, as every page names them. */
export const sections = [
    ...resourceNames.map((name) => [listPath(name), titled(name)]),
    ['/api/vocabularies/', 'Vocabularies'],
    [sparqlPath, 'SPARQL'],
    [schemaPath, 'API'],
];
/** The lists of controlled values, with the pages on which they stand. */
export const referenceLists = [
    ...[...vocabularyNames, ...geographyNames].map((name) => [entryPath({ name }), titled(name)]),
    [placesPath, 'Places'],
];
/** The address with other values of some parameters; one that is given no value is left out. */
export function withParameters(path, query, changes) {
    const parameters = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes))
        if (value === undefined)
            parameters.delete(name);
        else
            parameters.set(name, value);
    return withQuery(path, parameters);
}
function withQuery(path, parameters) {
    for (const [name, value] of [...parameters])
        if (value === '')
            parameters.delete(name);
    const query = parameters.toString();
    return query === '' ? path : `${path}?${query}`;
}
export function titled(name) {
    const words = name.replaceAll('-', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
}
//# sourceMappingURL=links.js.map