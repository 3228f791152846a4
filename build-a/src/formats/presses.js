// Every format, and whose records it prints. A new one is one file and one line.
import { resourceNames } from '../model/addresses.js';
import { bibtexPress } from './bibtex.js';
import { csvPress } from './csv.js';
import { dublinCorePress } from './dublin-core.js';
import { jsonLinesPress } from './json-lines.js';
import { jsonPress } from './json.js';
import { jsonldPress } from './jsonld.js';
import { marcxmlPress } from './marcxml.js';
import { ntriples } from './ntriples.js';
import { rdfxml } from './rdfxml.js';
import { triplesPress } from './triples.js';
import { turtle } from './turtle.js';
// In the order in which they are preferred by clients that do not mind (decisions: formats by resource).
// prettier-ignore
const rows = [
    { name: 'json', prints: resourceNames, make: ({ resources }) => jsonPress(resources) },
    { name: 'jsonld', prints: resourceNames, make: jsonldPress },
    { name: 'csv', prints: resourceNames, make: ({ resources }, name) => csvPress(resources, resources[name]) },
    { name: 'dc', prints: resourceNames, make: ({ resources, addresses }) => dublinCorePress(resources, addresses) },
    { name: 'turtle', prints: resourceNames, make: (parts) => triplesPress(turtle, parts) },
    { name: 'ntriples', prints: resourceNames, make: (parts) => triplesPress(ntriples, parts) },
    { name: 'rdfxml', prints: resourceNames, make: (parts) => triplesPress(rdfxml, parts) },
    { name: 'bibtex', prints: ['zines', 'holdings'], make: bibtexPress },
    { name: 'marcxml', prints: ['zines', 'agents', 'holdings'], make: marcxmlPress },
    { name: 'jsonl', prints: resourceNames, make: () => jsonLinesPress, exports: true },
];
/** As `?format=` names them. */
export const formatNames = rows.map(({ name }) => name);
/** Those that print records and pages of them. */
export const setUpPresses = (parts) => makePresses(rows.filter((row) => !row.exports), parts);
/** Those that print whole lists to keep. */
export const setUpExportPresses = (parts) => makePresses(rows, parts);
function makePresses(wanted, parts) {
    const of = (resource) => wanted
        .filter(({ prints }) => prints.includes(resource))
        .map(({ make }) => make(parts, resource));
    return {
        zines: of('zines'),
        agents: of('agents'),
        repositories: of('repositories'),
        holdings: of('holdings'),
    };
}
//# sourceMappingURL=presses.js.map