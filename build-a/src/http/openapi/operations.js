// The operations of an endpoint: what every method at every address has in common follows from the
// endpoint, what they take and give stands in exchanges.ts.
import { cascades } from '../../catalogue/cascade.js';
import { formatsOf } from '../endpoint.js';
import { exchangesOf } from './exchanges.js';
import { failing, headersNamed } from './failures.js';
import { formatOf, shared } from './parameters.js';
import { aOf } from './records.js';
/** The paths of the endpoints, in their order. */
export function pathsOf(endpoints, resources) {
    const exchanges = exchangesOf(resources);
    return Object.fromEntries(endpoints.map((endpoint) => [
        templateOf(endpoint, resources),
        Object.fromEntries(Object.keys(endpoint.methods).map((method) => [
            method.toLowerCase(),
            operationOf({
                endpoint,
                method,
                resources,
                exchange: exchanges.get(`${method} ${endpoint.path}`) ?? {},
                isList: endpoints.some(({ path }) => path.startsWith(`${endpoint.path}:`)),
            }),
        ])),
    ]));
}
/** The path as OpenAPI writes it: a record's identifier by the name of its field. */
export const templateOf = (endpoint, resources) => endpoint.path.replace(/:(\w+)/g, (_, name) => `{${nameIn(endpoint, name, resources)}}`);
function operationOf(described) {
    const { endpoint, method, exchange } = described;
    const parameters = parametersOf(described);
    return {
        operationId: operationIdOf(described),
        summary: summaryOf(described),
        description: descriptionOf(described),
        tags: [tagOf(endpoint)],
        security: securityOf(endpoint, method),
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(exchange.takes
            ? { requestBody: { required: true, content: { [json]: { schema: exchange.takes } } } }
            : {}),
        responses: {
            ...successOf(described),
            ...failing(...statusesOf(described)),
        },
    };
}
const json = 'application/json';
// The names that DRF's own generator would give.
const actions = {
    GET: 'retrieve',
    POST: 'create',
    PUT: 'update',
    PATCH: 'partial_update',
    DELETE: 'destroy',
};
function operationIdOf({ endpoint, method, isList }) {
    const segments = segmentsOf(endpoint.path).filter((segment) => !segment.startsWith(':'));
    const action = method === 'GET' && isList ? 'list' : actions[method];
    return [...(segments.length > 0 ? segments : ['root']), action].join('_').replace(/[-.]/g, '_');
}
const segmentsOf = (path) => path.split('/').filter((segment) => segment !== '' && segment !== 'api');
/** Under which heading an endpoint stands. */
export function tagOf({ path, writes }) {
    const [first, second] = segmentsOf(path);
    return writes ?? (first !== undefined && second !== undefined ? first : 'service');
}
const verbs = {
    GET: 'Read',
    POST: 'Create',
    PUT: 'Replace',
    PATCH: 'Change',
    DELETE: 'Delete',
};
function summaryOf({ endpoint, method, resources, isList }) {
    if (!endpoint.writes)
        return endpoint.name;
    const { name, noun } = resources[endpoint.writes];
    if (method === 'GET' && isList)
        return `List ${name}`;
    return `${verbs[method]} ${aOf(noun)}`;
}
const effects = {
    PUT: 'Every required field has to be sent; what is left out is cleared.',
    PATCH: 'Only the fields that are sent are changed.',
};
function descriptionOf({ endpoint, method }) {
    const gone = method === 'DELETE' && endpoint.writes
        ? cascades[endpoint.writes].map(({ resource }) => `The ${resource} that refer to it are deleted with it.`)
        : [];
    return [endpoint.description, effects[method] ?? '', ...gone].filter(Boolean).join(' ');
}
function securityOf(endpoint, method) {
    if (endpoint.open)
        return [];
    return method === 'GET' ? [{}, { tokenAuth: [] }] : [{ tokenAuth: [] }];
}
function parametersOf({ endpoint, method, resources, exchange }) {
    const hasTables = endpoint.formats.some(({ type }) => type === 'text/csv');
    const changes = method !== 'GET' && method !== 'POST';
    return [
        ...pathParameters(endpoint, resources),
        ...(exchange.parameters ?? []),
        ...(method === 'GET' ? [formatOf(formatsOf(endpoint))] : []),
        ...(method === 'GET' && hasTables ? [shared('Safe')] : []),
        ...(method === 'GET' && !exchange.file ? [shared('IfNoneMatch')] : []),
        ...(changes ? [shared('IfMatch')] : []),
    ];
}
function pathParameters(endpoint, resources) {
    return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
        const isRecord = endpoint.writes !== undefined && name === 'id';
        const named = nameIn(endpoint, name, resources);
        return {
            name: named,
            in: 'path',
            required: true,
            description: isRecord
                ? 'The identifier that the client chose for the record, percent-encoded.'
                : (descriptions[name] ?? named),
            schema: { type: 'string' },
        };
    });
}
const nameIn = ({ writes }, name, resources) => writes && name === 'id' ? resources[writes].id.name : name;
const descriptions = {
    code: 'The code of the entry.',
    geoname_id: 'The identifier of the place in GeoNames.',
};
function successOf({ endpoint, method, exchange, isList }) {
    if (method === 'DELETE')
        return { 204: { description: 'It is deleted.' } };
    const schema = exchange.gives ?? {};
    if (method === 'GET')
        return {
            200: {
                description: isList ? 'The list.' : 'What was asked for.',
                headers: exchange.file
                    ? headersNamed('Content-Disposition')
                    : headersNamed('ETag', ...(exchange.paged ? ['Link'] : [])),
                content: contentOf(formatsOf(endpoint), schema),
            },
        };
    const content = contentOf(endpoint.formats, schema);
    if (!endpoint.writes)
        return { 200: { description: 'What was asked for.', content } };
    return method === 'POST'
        ? {
            201: { description: 'The new record.', headers: headersNamed('ETag', 'Location'), content },
        }
        : { 200: { description: 'The record as it is now.', headers: headersNamed('ETag'), content } };
}
/** JSON is described; of the other formats, only whether they are objects, or many, to a reader of JSON or YAML. */
function contentOf(formats, schema) {
    const object = { type: 'object' };
    const read = schema.type === 'array' ? { type: 'array', items: object } : object;
    const other = (type) => (/json$|yaml/.test(type) ? read : { type: 'string' });
    return Object.fromEntries(formats.map(({ type }) => [type, { schema: type === json ? schema : other(type) }]));
}
/** A search can be too much to ask. */
const isSearch = (parameter) => 'name' in parameter && parameter.name === 'search';
/** The statuses of the failures, in the order in which they are found (decisions: order of checks). */
function statusesOf({ endpoint, method, exchange }) {
    const isRead = method === 'GET';
    const isRecord = endpoint.path.includes(':');
    return [
        ...(isRead && !exchange.file ? [304] : []),
        ...(exchange.takes || exchange.parameters?.some(isSearch) ? [400] : []),
        401,
        ...(isRead || endpoint.open ? [] : [403]),
        ...(isRead || isRecord ? [404] : []),
        406,
        ...(isRecord && !isRead ? [412] : []),
        ...(exchange.takes ? [413, 415] : []),
        429,
        500,
    ];
}
//# sourceMappingURL=operations.js.map