// What a syntax for triples is: a head, statements that can come in pieces, and an end.
import { prefixesIn } from './compact.js';
/** Triples that are in the hand, as a document with the prefixes that it needs and no others. */
export function writeTriples(syntax, triples, prefixes) {
    const used = prefixesIn(triples, prefixes);
    return syntax.open(used) + syntax.statements(triples, used) + syntax.close();
}
//# sourceMappingURL=syntax.js.map