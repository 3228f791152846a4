// The IRIs under the base: what each thing, record, graph, term and scheme is called.
import { decodeSegment, encodeSegment, iri } from '../rdf/terms.js';
export const resourceNames = ['zines', 'agents', 'repositories', 'holdings'];
/** @param base the service's base, an http(s) URL without a slash at its end */
export function addressesUnder(base) {
    return {
        base,
        /** What everybody may see, what only some may, and the vocabularies. */
        graphs: {
            public: iri(`${base}/graphs/public`),
            private: iri(`${base}/graphs/private`),
            vocabularies: iri(`${base}/graphs/vocabularies`),
            /** How a store elsewhere holds records; nobody is shown it. */
            records: iri(`${base}/graphs/records`),
        },
        /** An own term. */
        term: (name) => iri(`${base}/ns#${name}`),
        ontology: `${base}/ns`,
        shapes: `${base}/shapes`,
        vocabulary: (name) => `${base}/vocabularies/${name}`,
        geography: (name) => `${base}/geography/${name}`,
        /** The zine, agent, repository or holding itself. */
        thing: (resource, id) => iri(`${base}/id/${resource}/${encodeSegment(id)}`),
        /** The record that describes it, which is also where it is read. */
        record: (resource, id) => iri(`${base}/api/${resource}/${encodeSegment(id)}/`),
        /** A node that belongs to a thing, such as its address. */
        part: (thing, name) => iri(`${thing.value}#${name}`),
        /** The identifier of a thing, from its IRI. */
        identifierOf: (thing) => decodeSegment(thing.slice(thing.lastIndexOf('/') + 1)),
    };
}
//# sourceMappingURL=addresses.js.map