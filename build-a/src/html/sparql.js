import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from "preact/jsx-runtime";
import { sparqlPath, withParameters } from './links.js';
import { Page } from './page.js';
import { Away, isWebAddress } from './value.js';
export const SparqlPage = ({ visit, query, outcome, sent, examples, prefixes, terms }) => (_jsxs(Page, { visit: visit, title: "SPARQL", styles: ['yasgui.min.css', 'sparql.css'], scripts: ['yasgui.min.js', 'sparql.js'], head: _jsx("meta", { name: "robots", content: "noindex" }), children: [_jsx("header", { class: "page-head", children: _jsx("h1", { children: "SPARQL" }) }), _jsxs("div", { class: "with-side right sparql", children: [_jsxs("div", { children: [_jsxs("p", { class: "lead", children: ["Ask anything of everything that the catalogue shows to everybody. Programs ask at the same address: ", _jsx("a", { href: "#programs", children: "how they do" }), "."] }), _jsxs("form", { class: "query", action: sparqlPath, "data-sparql": sparqlPath, "data-prefixes": JSON.stringify(prefixes), "data-terms": JSON.stringify(terms), children: [_jsxs("div", { class: "field", children: [_jsx("label", { for: "query", children: "Query" }), _jsx("textarea", { class: "code", id: "query", name: "query", rows: 14, spellcheck: false, autocapitalize: "none", required: true, children: query })] }), _jsxs("div", { class: "controls", children: [_jsxs("label", { children: [_jsx("span", { children: "Answer as" }), _jsxs("select", { name: "format", children: [_jsx("option", { value: "html", children: "a page" }), _jsx("optgroup", { label: "SELECT and ASK", children: formatsFor.table.map(([name, title]) => (_jsx("option", { value: name, children: title }, title))) }), _jsx("optgroup", { label: "CONSTRUCT and DESCRIBE", children: formatsFor.graph.map(([name, title]) => (_jsx("option", { value: name, children: title }, title))) })] })] }), _jsx("button", { children: "Run the query" })] })] }), _jsx("section", { class: "answer", "aria-label": "Answer", "aria-live": "polite", children: outcome && _jsx(Answer, { query, outcome, prefixes, sent: sent }) })] }), _jsxs("aside", { children: [_jsx(Examples, { examples: examples, current: query }), _jsx(Programs, { visit: visit })] })] })] }));
const formatsFor = {
    table: [
        ['csv', 'CSV'],
        ['tsv', 'TSV'],
        ['json', 'JSON'],
        ['xml', 'XML'],
    ],
    graph: [
        ['turtle', 'Turtle'],
        ['ntriples', 'N-Triples'],
        ['rdfxml', 'RDF/XML'],
        ['jsonld', 'JSON-LD'],
    ],
};
/** A longer table would be a page that no browser likes; the rest is a download away. */
const mostRows = 1000;
const Answer = ({ query, outcome, sent, prefixes, }) => {
    if (outcome.kind === 'refused')
        return (_jsx("div", { class: "notice wrong", role: "alert", children: _jsx("p", { children: outcome.why }) }));
    const { kind } = outcome;
    const isWhole = kind !== 'table' || outcome.rows.length <= mostRows;
    return (_jsxs(_Fragment, { children: [kind === 'table' && (_jsx(Table, { columns: outcome.columns, rows: outcome.rows, prefixes })), kind === 'truth' && _jsx("p", { class: "truth", children: outcome.is ? 'Yes.' : 'No.' }), sent && isWhole && (_jsx("pre", { class: "code raw", "data-type": sent.type, hidden: kind !== 'graph', tabIndex: 0, children: sent.text })), _jsxs("nav", { class: "formats", "aria-label": "Formats", children: [_jsx("h2", { children: "Take it with you" }), _jsx("ul", { children: formatsFor[kind === 'graph' ? 'graph' : 'table'].map(([name, title]) => (_jsx("li", { children: _jsx("a", { href: withParameters(sparqlPath, '', { query, format: name }), children: title }) }, name))) })] })] }));
};
const Table = ({ columns, rows, prefixes, }) => (_jsxs(_Fragment, { children: [_jsxs("p", { class: "count", children: [_jsx("strong", { children: rows.length.toLocaleString('en') }), " ", rows.length === 1 ? 'row' : 'rows', rows.length > mostRows &&
                    `, of which the first ${mostRows.toLocaleString('en')} are shown; a download has them all`] }), _jsx("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Table of the answer", children: _jsxs("table", { children: [_jsx("thead", { children: _jsx("tr", { children: columns.map((name) => (_jsx("th", { scope: "col", children: name }, name))) }) }), _jsx("tbody", { children: rows.slice(0, mostRows).map((row, index) => (_jsx("tr", { children: columns.map((name) => (_jsx("td", { children: row[name] && _jsx(Cell, { value: row[name], prefixes: prefixes }) }, name))) }, index))) })] }) })] }));
const Cell = ({ value: { type, value, datatype, 'xml:lang': language }, prefixes, }) => {
    if (type === 'uri') {
        const short = shorten(value, prefixes);
        return isWebAddress(value) ? _jsx(Away, { href: value, children: short }) : _jsx(_Fragment, { children: short });
    }
    if (type === 'bnode')
        return _jsx(_Fragment, { children: `_:${value}` });
    return (_jsxs(_Fragment, { children: [_jsx("span", { class: "text", lang: language, children: value }), datatype && _jsxs("span", { class: "datatype", children: [" ", shorten(datatype, prefixes)] }), language && _jsxs("span", { class: "datatype", children: [" @", language] })] }));
};
/** By a prefix, where the rest of the IRI can stand behind one as it is. */
function shorten(iri, prefixes) {
    for (const [prefix, namespace] of Object.entries(prefixes))
        if (iri.startsWith(namespace) && /^[\w-]+$/.test(iri.slice(namespace.length)))
            return `${prefix}:${iri.slice(namespace.length)}`;
    return iri;
}
const Examples = ({ examples, current, }) => (_jsxs("nav", { class: "related examples", "aria-label": "Examples", children: [_jsx("h2", { children: "Queries to start from" }), _jsx("ul", { children: examples.map(({ question, query }) => (_jsx("li", { children: _jsx("a", { href: withParameters(sparqlPath, '', { query }), "data-query": query, "aria-current": query === current ? 'true' : undefined, children: question }) }, question))) }), _jsx("p", { children: _jsx("a", { href: "/.well-known/sparql-examples", children: "The same as RDF" }) })] }));
const Programs = ({ visit }) => (_jsxs("section", { class: "related", id: "programs", tabIndex: -1, children: [_jsx("h2", { children: "From a program" }), _jsxs("p", { children: ["The endpoint speaks the", ' ', _jsx("a", { href: "https://www.w3.org/TR/sparql11-protocol/", children: "SPARQL 1.1 Protocol" }), " and", ' ', _jsx("a", { href: withParameters(sparqlPath, '', { format: 'turtle' }), children: "describes itself" }), "."] }), _jsx("pre", { class: "code", tabIndex: 0, children: `curl ${visit.origin}${sparqlPath} \\\n  -H 'Accept: text/csv' \\\n  --data-urlencode query@query.rq` })] }));
//# sourceMappingURL=sparql.js.map