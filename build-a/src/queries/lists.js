// What a list is: one generated SELECT, with its filters, search and order, and its COUNT.
import { dcterms, foaf, rdf } from '../rdf/namespaces.js';
import { lines, rows, sparql, variable } from '../rdf/sparql.js';
import { integer, text } from '../rdf/terms.js';
/** The things of one page, as `?s`, in order; the identifier decides where all else is the same. */
export function pageOf(listing, graph, { limit, offset }) {
    return lines(wholeOf(listing, graph), sparql `${rows('LIMIT', limit)} ${rows('OFFSET', offset)}`);
}
/** All things of the list, as `?s`, in the same order. */
export function wholeOf(listing, graph) {
    const keys = listing.order.map(({ field, descending }, index) => {
        const key = variable('key', index);
        const direction = descending ? sparql `DESC(${key})` : sparql `ASC(${key})`;
        // Records without the value come last, whatever the direction.
        return field.filled ? direction : sparql `ASC(!BOUND(${key})) ${direction}`;
    });
    return lines(sparql `SELECT ?s WHERE {`, sparql `  GRAPH ${graph} {`, members(listing), ...listing.order.map(({ field }, index) => orderPattern(field, index)), sparql `  }`, sparql `}`, sparql `ORDER BY ${keys} ?id ?s`);
}
/** The number of things in the whole list, as `?count`. */
export const countOf = (listing, graph) => lines(sparql `SELECT (COUNT(?s) AS ?count) WHERE {`, sparql `  GRAPH ${graph} {`, members(listing), sparql `  }`, sparql `}`);
/** How many things of the list have each value that the filter takes, as `?value` and `?count`. */
export const tallyOf = (listing, filter, graph) => lines(sparql `SELECT ?value (COUNT(DISTINCT ?s) AS ?count) WHERE {`, sparql `  GRAPH ${graph} {`, members(listing), 'leading' in filter
    ? sparql `    ?s ${pathTo(filter)} ?whole . BIND(${beginning(filter, sparql `?whole`)} AS ?value)`
    : sparql `    ?s ${pathTo(filter)} ?value .`, sparql `  }`, sparql `}`, sparql `GROUP BY ?value`);
/** What makes a thing a member of the list. */
const members = ({ resource, filters, terms }) => lines(sparql `    ?s ${rdf('type')} ${resource.class} ; ${dcterms('identifier')} ?id .`, ...filters.map(filterPattern), ...terms.map((term) => searchPattern(resource, term)));
// A thing of which several values begin alike is in the list once.
const filterPattern = ({ filter, term }) => 'leading' in filter
    ? sparql `    FILTER EXISTS { ?s ${pathTo(filter)} ?filtered . FILTER(${beginning(filter, sparql `?filtered`)} = ${term}) }`
    : sparql `    ?s ${pathTo(filter)} ${term} .`;
const beginning = ({ leading }, whole) => sparql `SUBSTR(STR(${whole}), 1, ${integer(leading)})`;
function orderPattern(field, index) {
    const key = variable('key', index);
    const pattern = field.ofRecord
        ? sparql `${variable('record', index)} ${foaf('primaryTopic')} ?s ; ${pathTo(field)} ${key} .`
        : sparql `?s ${pathTo(field)} ${key} .`;
    return field.filled ? sparql `    ${pattern}` : sparql `    OPTIONAL { ${pattern} }`;
}
function searchPattern(resource, term) {
    const fields = resource.fields.filter((field) => field.search);
    const patterns = fields.map((field, index) => index === 0
        ? sparql `{ ?s ${pathTo(field)} ?text }`
        : sparql `UNION { ?s ${pathTo(field)} ?text }`);
    return lines(sparql `    FILTER EXISTS {`, sparql `      ${patterns}`, sparql `      FILTER(CONTAINS(LCASE(?text), ${text(term)}))`, sparql `    }`);
}
// Two steps lead through a node of the thing's own; written out, since engines differ in their paths.
function pathTo({ path }) {
    const [first, second] = path;
    if (!first)
        throw new Error('a field has a property');
    return second ? sparql `${first} ?part . ?part ${second}` : sparql `${first}`;
}
//# sourceMappingURL=lists.js.map