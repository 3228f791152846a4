// Rows out of SPARQL results in JSON, as engines write them rather than as the standard has them.
import { xsd } from '../rdf/namespaces.js';
/** The text is no SPARQL results: cut off, or an answer to something else. */
export class Unreadable extends Error {
}
/** @throws Unreadable */
export const rowsOf = (text) => tableOf(text).rows;
/** @throws Unreadable */
export function tableOf(text) {
    const { head, results } = resultsIn(text);
    if (!Array.isArray(results?.bindings))
        throw new Unreadable(`no SPARQL results: ${text.slice(0, 200)}`);
    const rows = results.bindings.map((binding) => Object.fromEntries(Object.entries(binding).map(([name, term]) => [name, termOf(term)])));
    return { names: head?.vars ?? [], rows };
}
/** The answer to ASK; Virtuoso gives a table with one row for yes. @throws Unreadable */
export function truthOf(text) {
    const { boolean: truth } = resultsIn(text);
    if (typeof truth === 'boolean')
        return truth;
    const [row] = tableOf(text).rows;
    return (row !== undefined && !Object.values(row).some(({ value }) => ['0', 'false'].includes(value)));
}
function resultsIn(text) {
    try {
        return JSON.parse(text) ?? {};
    }
    catch (cause) {
        throw new Unreadable(`no JSON: ${text.slice(0, 200)}`, { cause });
    }
}
export function termOf(term) {
    const { type, value, datatype, ...rest } = term;
    if (typeof value !== 'string')
        throw new Unreadable(`no term: ${JSON.stringify(term)}`);
    const language = rest['xml:lang'];
    return {
        type: type === 'uri' || type === 'bnode' ? type : 'literal',
        value: datatype === isBoolean ? (truths.get(value) ?? value) : value,
        ...(datatype === undefined || datatype === isString ? {} : { datatype }),
        ...(language === undefined ? {} : { 'xml:lang': language }),
    };
}
const isBoolean = xsd('boolean').value;
const isString = xsd('string').value;
const truths = new Map([
    ['1', 'true'],
    ['0', 'false'],
]);
//# sourceMappingURL=results.js.map