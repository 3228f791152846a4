// All that is public as one file: N-Quads in, N-Triples or Turtle out, a piece at a time.
import { DataFactory, Parser, Writer } from 'n3';
import { prefixes } from '../rdf/namespaces.js';
import { writeNQuads } from '../rdf/terms.js';
export async function* dumpNTriples(pieces, addresses) {
    for await (const piece of pieces)
        yield writeNQuads(triplesIn(piece, addresses));
}
export async function* dumpTurtle(pieces, addresses) {
    let written = [];
    const writer = new Writer({
        write: (text, _encoding, done) => {
            written.push(text);
            done?.();
        },
        end: (done) => done?.(),
    }, { prefixes: { ...prefixes, zc: addresses.term('').value } });
    const taken = () => {
        const text = written.join('');
        written = [];
        return text;
    };
    for await (const piece of pieces) {
        writer.addQuads(triplesIn(piece, addresses));
        yield taken();
    }
    writer.end();
    yield taken();
}
/** The triples of a piece, without what only tells this service in which order values were given. */
function triplesIn(piece, addresses) {
    const order = addresses.term('order');
    return new Parser({ format: 'N-Quads' })
        .parse(piece)
        .filter(({ predicate }) => !predicate.equals(order))
        .map(({ subject, predicate, object }) => DataFactory.quad(subject, predicate, object));
}
//# sourceMappingURL=dump.js.map