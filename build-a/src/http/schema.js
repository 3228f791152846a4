// The OpenAPI description over HTTP: YAML unless JSON is asked for (decisions: Reference lists).
import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { send } from './conditional.js';
import { json } from './negotiate.js';
import { documentOf } from './openapi.js';
import { originOf } from './query.js';
export const schemaFormats = [
    { name: 'yaml', type: 'application/yaml' },
    { name: 'yaml', type: 'application/vnd.oai.openapi' },
    json,
    { name: json.name, type: 'application/vnd.oai.openapi+json' },
];
export function schemaEndpoint({ about, endpoints, resources, pageOf }) {
    const endpoint = {
        path: '/api/schema/',
        name: 'Schema',
        description: 'This description of the service, in OpenAPI 3.0.3.',
        formats: schemaFormats,
        page: (ctx) => page(ctx),
        methods: {
            GET(ctx) {
                const write = writers[ctx.state.format.name === json.name ? 'json' : 'yaml'];
                send(ctx, write(serversFor(ctx)));
            },
        },
    };
    // Each text is written once, but for the address that the client used, which is the client's to choose
    // and so nothing to remember texts by: it goes before the rest.
    const document = documentOf({ about, endpoints: [...endpoints, endpoint], resources });
    const { openapi, ...rest } = document;
    const restAsYaml = stringify(rest, { aliasDuplicateObjects: false, lineWidth: 0 });
    const restAsJson = JSON.stringify(rest);
    const writers = {
        yaml: (servers) => stringify({ openapi, servers }) + restAsYaml,
        json: (servers) => `${JSON.stringify({ openapi, servers }).slice(0, -1)},${restAsJson.slice(1)}`,
    };
    const page = pageOf({ document, yamlFor: (ctx) => writers.yaml(serversFor(ctx)) });
    return endpoint;
}
const serversFor = (ctx) => [{ url: originOf(ctx) }];
/** What package.json says. */
export async function readAbout(file) {
    return JSON.parse(await readFile(file, 'utf8'));
}
//# sourceMappingURL=schema.js.map