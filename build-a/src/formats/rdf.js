// Triples as documents, in every RDF format: for vocabularies, the ontology, and whatever else is no
// record.
import { compactBy } from './compact.js';
import { contextIri } from './context.js';
import { jsonld } from './jsonld.js';
import { flatNodes } from './nodes.js';
import { ntriples } from './ntriples.js';
import { rdfxml } from './rdfxml.js';
import { writeTriples } from './syntax.js';
import { turtle } from './turtle.js';
/** In the order in which they are preferred by clients that do not mind. */
export const rdfFormats = [
    whole(turtle),
    { ...jsonld, write: writeNodes },
    whole(ntriples),
    whole(rdfxml),
];
/** What lists that are no records are shown as: JSON, and every RDF format. */
export const formatsOfData = [
    { name: 'json', type: 'application/json' },
    jsonld,
    ...rdfFormats.filter(({ name }) => name !== jsonld.name),
];
/** Triples in the format that was chosen. */
export const writeIn = ({ type }, triples, around) => writeAs(type, triples, around);
/** Triples as a media type has them. */
export function writeAs(type, triples, around) {
    const format = rdfFormats.find((one) => one.type === type);
    if (!format)
        throw new Error(`${type} is no RDF format`);
    return format.write(triples, around);
}
function whole(syntax) {
    const { name, type } = syntax;
    return { name, type, write: (triples, { prefixes }) => writeTriples(syntax, triples, prefixes) };
}
function writeNodes(triples, { base, prefixes }) {
    const nodes = flatNodes(triples, compactBy(prefixes));
    return JSON.stringify({ '@context': contextIri(base), '@graph': nodes });
}
//# sourceMappingURL=rdf.js.map