import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { withParameters } from './links.js';
const titles = {
    json: 'JSON',
    jsonld: 'JSON-LD',
    csv: 'CSV',
    dc: 'Dublin Core',
    turtle: 'Turtle',
    ntriples: 'N-Triples',
    rdfxml: 'RDF/XML',
    bibtex: 'BibTeX',
    marcxml: 'MARCXML',
    yaml: 'YAML',
    jsonl: 'JSON lines',
};
export const titleOfFormat = ({ name }) => titles[name] ?? name;
export const Formats = ({ visit: { path, query }, formats, }) => (_jsxs("nav", { class: "formats", "aria-label": "Formats", children: [_jsx("h2", { children: "Take it with you" }), _jsx("ul", { children: distinctByName(formats).map((format) => (_jsx("li", { children: _jsx("a", { href: withParameters(path, query, { format: format.name }), type: format.type, children: titleOfFormat(format) }) }, format.name))) })] }));
/** For what is shown as JSON to those who do not mind. */
export const Request = ({ visit, json }) => (_jsx(RequestAs, { visit: visit, type: "application/json", text: JSON.stringify(JSON.parse(json), null, 2) }));
const longest = 60_000;
/** @param text what is answered */
export const RequestAs = ({ visit: { origin, path, query }, type, text, }) => {
    // A path may hold the sign that ends a text in a shell.
    const address = withParameters(path, query, { format: undefined }).replaceAll("'", '%27');
    return (_jsxs("details", { class: "request", children: [_jsx("summary", { children: "The same by API" }), _jsx("pre", { class: "code", tabIndex: 0, children: `GET ${address}\nHost: ${new URL(origin).host}\nAccept: ${type}` }), _jsx("pre", { class: "code", tabIndex: 0, children: `curl -H 'Accept: ${type}' '${origin}${address}'` }), _jsxs("pre", { class: "code json", tabIndex: 0, children: [text.slice(0, longest), text.length > longest &&
                        `\n… and ${(text.length - longest).toLocaleString('en')} characters more`] })] }));
};
/** The first of each name, which is the one that clients who do not mind are answered in. */
const distinctByName = (formats) => formats.filter(({ name }, index) => formats.findIndex((one) => one.name === name) === index);
//# sourceMappingURL=request.js.map