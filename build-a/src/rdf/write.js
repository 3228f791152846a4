// Quads into the formats of RDF.
import { Writer } from 'n3';
import { Store as Oxigraph, defaultGraph } from 'oxigraph';
import { prefixes } from './namespaces.js';
import { writeNQuads } from './terms.js';
/**
 * Triples as a document.
 * @param more prefixes besides ours, for Turtle
 */
export function writeRdf(quads, type, more = {}) {
    if (type === 'text/turtle')
        return writeTurtle(quads, { ...prefixes, ...more });
    const store = new Oxigraph();
    store.load(writeNQuads(quads), { format: 'application/n-triples' });
    return store.dump({ format: type, from_graph_name: defaultGraph() });
}
/** Turtle with those prefixes that it uses. */
export function writeTurtle(quads, known) {
    const used = new Set(quads.flatMap(({ subject, predicate, object }) => [
        namespaceOf(subject),
        namespaceOf(predicate),
        namespaceOf(object.termType === 'Literal' ? object.datatype : object),
    ]));
    const writer = new Writer({
        prefixes: Object.fromEntries(Object.entries(known).filter(([, space]) => used.has(space))),
    });
    writer.addQuads([...quads]);
    let turtle = '';
    writer.end((error, text) => {
        if (error)
            throw error;
        turtle = text;
    });
    return turtle;
}
const namespaceOf = ({ value }) => value.slice(0, Math.max(value.lastIndexOf('#'), value.lastIndexOf('/')) + 1);
//# sourceMappingURL=write.js.map