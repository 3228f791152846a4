// The formats that decisions.md names, as far as the service offers them.
const all = {
    json: 'application/json',
    jsonld: 'application/ld+json',
    csv: 'text/csv',
    dc: 'application/xml',
    turtle: 'text/turtle',
    bibtex: 'application/x-bibtex',
    marcxml: 'application/marcxml+xml',
    html: 'text/html',
};
const offered = ['json', 'jsonld', 'csv', 'dc', 'turtle', 'bibtex', 'marcxml', 'html'];
/** Media types by the name of the format. */
export const types = Object.fromEntries(Object.entries(all).filter(([name]) => offered.includes(name)));
export const isOffered = (name) => offered.includes(name);
/** Whether an Accept header speaks only of formats that are offered, or of none that ever will be. */
export const isAnswerable = (accept) => !Object.entries(all).some(([name, type]) => !isOffered(name) && accept.includes(type));
//# sourceMappingURL=formats.js.map