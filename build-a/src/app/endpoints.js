// What is answered at which address: the API, what the IRIs of the data lead to, and the desk.
import { join } from 'node:path';
import { contextOf } from '../formats/context.js';
import { setUpExportPresses, setUpPresses } from '../formats/presses.js';
import { browse } from '../http/browse.js';
import { consult } from '../http/consult.js';
import { datasetEndpoint } from '../http/dataset.js';
import { accountEndpoints } from '../http/desk/accounts.js';
import { formEndpoints } from '../http/desk/records.js';
import { datasetPage, document, operationsPage } from '../http/documents.js';
import { dumpEndpoints } from '../http/dumps.js';
import { exportEndpoints } from '../http/exports.js';
import { homePage } from '../http/home.js';
import { linkedDataEndpoints } from '../http/linked.js';
import { keepNumbers } from '../http/numbers.js';
import { recordEndpoints } from '../http/records.js';
import { referenceEndpoints } from '../http/reference.js';
import { doorEndpoint, rootEndpoints } from '../http/root.js';
import { readAbout, schemaEndpoint } from '../http/schema.js';
import { tokenEndpoint } from '../http/token.js';
import { readPlaces } from '../model/places.js';
import { prefixesUnder } from '../rdf/namespaces.js';
import { root } from './files.js';
/** All addresses of the API but that of the health, the description of them included. */
export async function openEndpoints(collection, assets) {
    const { accounts, catalogue, resources } = collection;
    const about = await readAbout(join(root, 'package.json'));
    const places = await readPlaces(join(root, 'vocabularies', 'places.tsv'));
    const presses = setUpPresses(collection);
    const exports = setUpExportPresses(collection);
    const parts = {
        ...collection,
        about,
        assets,
        around: around(collection.addresses),
        numbers: keepNumbers(catalogue),
        places,
        presses,
    };
    const consulted = consult(parts);
    const endpoints = [
        ...rootEndpoints({ ...consulted, home: homePage(parts) }),
        tokenEndpoint(accounts),
        // Before the records, whose addresses are more general.
        ...exportEndpoints({ catalogue, resources, presses: exports }),
        ...recordEndpoints({ ...parts, pages: browse(parts) }),
        ...referenceEndpoints({ ...parts, pages: consulted }),
        ...dumpEndpoints(collection),
        datasetEndpoint({ ...parts, page: datasetPage({ ...parts, exports }) }),
    ];
    const pageOf = operationsPage(assets);
    return [...endpoints, schemaEndpoint({ about, endpoints, resources, pageOf })];
}
/** What the IRIs of the data lead to, which no client of the API needs to be told of. */
export function openLinkedData(collection, assets) {
    const parts = {
        ...collection,
        assets,
        presses: setUpPresses(collection),
        vocabularies: Object.values(collection.vocabularies),
        around: around(collection.addresses),
        context: contextOf(collection).document,
    };
    return [doorEndpoint, ...linkedDataEndpoints({ ...parts, pages: document(parts) })];
}
/** The pages on which people write, which no client of the API needs to be told of either. */
export const openDesk = (collection, doors) => [
    ...accountEndpoints({ ...collection, ...doors }),
    ...formEndpoints({ ...collection, ...doors }),
];
const around = ({ base }) => ({ base, prefixes: prefixesUnder(base) });
//# sourceMappingURL=endpoints.js.map