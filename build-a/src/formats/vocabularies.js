// Vocabularies and their entries: JSON as clients know it, and SKOS in every RDF format.
import { compactBy } from './compact.js';
import { contextIri } from './context.js';
import { entryNode } from './entries.js';
import { jsonld } from './jsonld.js';
import { underContext } from './nodes.js';
import { writeIn } from './rdf.js';
/** Some entries, with the scheme that they are in. */
export function printEntries(format, vocabulary, entries, around) {
    if (format.name === 'json')
        return JSON.stringify(entries);
    if (format.name !== jsonld.name)
        return writeIn(format, triplesOf(vocabulary, entries), around);
    // An array, as in JSON; so the scheme stands inside the first entry.
    const nodes = entries.map((entry, index) => nodeOf(entry, index === 0 ? triplesOf(vocabulary, [entry]) : vocabulary.statements(entry.code), around));
    return JSON.stringify(nodes);
}
export function printEntry(format, vocabulary, entry, around) {
    if (format.name === 'json')
        return JSON.stringify(entry);
    const statements = vocabulary.statements(entry.code);
    return format.name === jsonld.name
        ? JSON.stringify(nodeOf(entry, statements, around))
        : writeIn(format, statements, around);
}
/** The whole vocabulary, or as much of it; nothing of the scheme where none of its entries is asked for. */
export const triplesOf = (vocabulary, entries) => entries.length === 0
    ? []
    : [
        ...vocabulary.statementsOfScheme,
        ...entries.flatMap(({ code }) => vocabulary.statements(code)),
    ];
const nodeOf = (entry, triples, { base, prefixes }) => underContext(contextIri(base), entryNode(entry, triples, compactBy(prefixes)));
//# sourceMappingURL=vocabularies.js.map