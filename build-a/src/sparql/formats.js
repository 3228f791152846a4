// The formats of answers: tables for SELECT and ASK, graphs for CONSTRUCT and DESCRIBE. A name may
// stand for one of each.
// prettier-ignore
export const tableFormats = [
    { name: 'json', type: 'application/sparql-results+json' },
    { name: 'json', type: 'application/json' },
    { name: 'xml', type: 'application/sparql-results+xml' },
    { name: 'csv', type: 'text/csv' },
    { name: 'tsv', type: 'text/tab-separated-values' },
];
// prettier-ignore
export const graphFormats = [
    { name: 'turtle', type: 'text/turtle' },
    { name: 'ntriples', type: 'application/n-triples' },
    { name: 'rdfxml', type: 'application/rdf+xml' },
    { name: 'jsonld', type: 'application/ld+json' },
    { name: 'json', type: 'application/ld+json' },
    { name: 'xml', type: 'application/rdf+xml' },
];
//# sourceMappingURL=formats.js.map