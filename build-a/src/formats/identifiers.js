// What kind of identifier a text is: what it calls itself, or, for ISBN and ISSN, what its check digit
// says that it is.
export function identify(text) {
    for (const [kind, form, isRight, read] of forms) {
        const [, named, value = ''] = form.exec(text) ?? [];
        if (value === '')
            continue;
        if (isRight(value))
            return { kind, value: read(value) };
        if (named)
            return { kind, value: read(value), wrong: true };
    }
    return { kind: 'other', value: text };
}
const asIs = (value) => value;
const digitsOf = (value) => value.replace(/[ -]/g, '').toUpperCase();
const any = () => true;
// prettier-ignore
const forms = [
    ['isbn', /^(urn:isbn:|isbn(?:-1[03])?:?)? *(\d(?:[ -]?\d){8}(?:(?:[ -]?\d){3})?[ -]?[\dX])$/i, isIsbn, digitsOf],
    ['issn', /^(urn:issn:|issn(?:-l)?:?)? *(\d{4}-\d{3}[\dX])$/i, isIssn, (value) => value.toUpperCase()],
    ['doi', /^(doi:|https?:\/\/(?:dx\.)?doi\.org\/)? *(10\.\d{4,9}\/\S+)$/i, any, asIs],
    ['url', /^()(https?:\/\/\S+)$/i, any, asIs],
];
function isIsbn(value) {
    const digits = digitsOf(value);
    return digits.length === 13
        ? sum(digits, (position) => (position % 2 === 0 ? 1 : 3)) % 10 === 0
        : sum(digits, (position) => 10 - position) % 11 === 0;
}
function isIssn(value) {
    return sum(digitsOf(value), (position) => 8 - position) % 11 === 0;
}
const sum = (digits, weight) => Array.from(digits).reduce((total, digit, position) => total + (digit === 'X' ? 10 : Number(digit)) * weight(position), 0);
//# sourceMappingURL=identifiers.js.map