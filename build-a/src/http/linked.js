// Linked data: what the IRIs under the base answer with. A thing leads to its record (303); a
// vocabulary, the ontology and the JSON-LD context are documents. Their addresses have no slash at the end.
import { contextPath } from '../formats/context.js';
import { jsonld } from '../formats/jsonld.js';
import { rdfFormats, writeIn } from '../formats/rdf.js';
import { triplesOf } from '../formats/vocabularies.js';
import { resourceNames } from '../model/addresses.js';
import { encodeSegment } from '../rdf/terms.js';
import { idOf } from './asked.js';
import { send } from './conditional.js';
import { json } from './negotiate.js';
import { originOf } from './query.js';
export const linkedDataEndpoints = (linked) => [
    ...thingEndpoints(linked),
    ...linked.vocabularies.map((vocabulary) => schemeEndpoint(vocabulary, linked)),
    {
        path: '/ns',
        name: 'Ontology',
        description: 'The properties and classes with which the catalogue describes its records.',
        formats: rdfFormats,
        page: linked.pages.ontology,
        methods: { GET: (ctx) => send(ctx, writeIn(ctx.state.format, linked.ontology, linked.around)) },
    },
    contextEndpoint(linked.context),
];
const thingEndpoints = ({ addresses, catalogue, presses }) => resourceNames.map((name) => ({
    path: `/id/${name}/:id`,
    name: 'Thing',
    description: `One of the ${name} itself; its record describes it.`,
    formats: presses[name],
    methods: {
        async GET(ctx) {
            const id = idOf(ctx);
            await catalogue.read(name, id);
            const path = `${new URL(addresses.base).pathname.replace(/\/$/, '')}/api/${name}/`;
            const record = new URL(`${originOf(ctx)}${path}${encodeSegment(id)}/${ctx.search}`).href;
            ctx.status = 303;
            ctx.set('Location', record);
            ctx.append('Link', `<${record}>; rel="describedby"`);
            ctx.body = '';
        },
    },
}));
function schemeEndpoint(vocabulary, { addresses, around, pages }) {
    return {
        path: vocabulary.scheme.value.slice(addresses.base.length),
        name: vocabulary.title,
        description: `The concept scheme of ${vocabulary.title.toLowerCase()}, with all its concepts.`,
        formats: rdfFormats,
        page: pages.scheme(vocabulary),
        methods: {
            GET: (ctx) => send(ctx, writeIn(ctx.state.format, triplesOf(vocabulary, vocabulary.entries), around)),
        },
    };
}
// Read by every page and program that reads our JSON-LD, wherever it runs.
function contextEndpoint(context) {
    return {
        path: contextPath,
        name: 'JSON-LD context',
        description: 'What the keys of the JSON mean.',
        formats: [jsonld, json],
        methods: {
            GET(ctx) {
                ctx.set('Access-Control-Allow-Origin', '*');
                ctx.set('Cache-Control', 'public, max-age=86400, stale-while-revalidate=604800');
                send(ctx, context);
            },
        },
    };
}
//# sourceMappingURL=linked.js.map