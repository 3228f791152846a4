// A press for each syntax of triples: records, and lists with their paging.
import { textOf } from '../model/card.js';
import { prefixesUnder } from '../rdf/namespaces.js';
import { graphsOf } from './graph.js';
import { memberTriples, pageTriples } from './hydra.js';
import { writeTriples } from './syntax.js';
export function triplesPress(syntax, parts) {
    const { graphOf } = graphsOf(parts);
    const prefixes = prefixesUnder(parts.addresses.base);
    const listPrefixes = Object.fromEntries(Object.entries(prefixes).filter(([prefix]) => !strangers.has(prefix)));
    const thingOf = ({ resource, card }) => parts.addresses.thing(resource.name, textOf(card, resource.id.name));
    return {
        name: syntax.name,
        type: syntax.type,
        brief: true,
        ...(syntax.extension ? { extension: syntax.extension } : {}),
        record: (sheet) => writeTriples(syntax, graphOf(sheet, 'detail'), prefixes),
        // All prefixes that a list may need: its records are not known yet.
        open: (listed) => syntax.open(listPrefixes) + syntax.statements(pageTriples(listed), listPrefixes),
        item: (sheet, _index, listed) => syntax.statements([
            ...memberTriples(thingOf(sheet), listed),
            // A page shows what its JSON does; a whole list, which is kept as a file, whole records.
            ...graphOf(sheet, listed.links ? 'list' : 'detail'),
        ], listPrefixes),
        close: () => syntax.close(),
    };
}
// What no record uses.
const strangers = new Set(['owl', 'sh', 'void', 'gn', 'geo']);
//# sourceMappingURL=triples.js.map