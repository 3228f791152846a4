// SPARQL as a type of its own. A value reaches a query as a term, escaped here; a string never does.
import toNT from '@rdfjs/to-ntriples';
/**
 * A query or a piece of one. What stands between the braces is a term, another piece, or an array
 * of either, joined by a space.
 */
export function sparql(strings, ...parts) {
    return String.raw({ raw: strings }, ...parts.map(write));
}
/** Pieces one under the other, the empty ones left out. */
export function lines(...pieces) {
    return pieces.filter((piece) => piece !== '').join('\n');
}
/** The variable `?name0`, `?name1`, …: a number is the only thing that can be added to a name. */
export const variable = (name, number) => `?${name}${number}`;
/** The number of rows to take or to pass over. */
export const rows = (keyword, number) => `${keyword} ${Math.trunc(number)}`;
function write(part) {
    if (typeof part === 'string')
        return part;
    // A term that is not an array has a termType.
    return 'termType' in part ? toNT(part) : part.map(write).join(' ');
}
//# sourceMappingURL=sparql.js.map