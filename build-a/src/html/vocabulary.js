import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
// Controlled vocabularies for people: what lists there are, one of them, one of its entries, and the
// concept scheme as the document that its IRIs lead to.
import { Fragment } from 'preact';
import { literalOf } from '../model/vocabulary.js';
import { dcterms, rdfs, skos } from '../rdf/namespaces.js';
import { iri } from '../rdf/terms.js';
import { entryPath, isServed, listPath, schemePath } from './links.js';
import { Page } from './page.js';
import { RelatedBox } from './record.js';
import { Formats, Request, RequestAs } from './request.js';
import { Away, isWebAddress } from './value.js';
export const OverviewPage = ({ visit, title, lead, groups, formats, json, }) => (_jsxs(Page, { visit: visit, title: title, styles: ['reference.css'], children: [_jsx("header", { class: "page-head", children: _jsx("h1", { children: title }) }), _jsx("p", { class: "lead", children: lead }), groups.map((group) => (_jsxs("section", { class: "overview", children: [_jsx("h2", { class: group.title === title ? 'sr' : 'label', children: group.title }), _jsx("ul", { class: "cards", children: group.lists.map((list) => (_jsxs("li", { children: [_jsxs("h3", { children: [_jsx("a", { href: list.path, children: list.title }), ' ', _jsx("span", { class: "entries", children: list.count.toLocaleString('en') })] }), _jsx("p", { children: list.description })] }, list.path))) })] }, group.title))), _jsx(Formats, { visit: visit, formats: formats }), _jsx(Request, { visit: visit, json: json })] }));
export const descriptionOf = ({ statementsOfScheme }) => literalOf(statementsOfScheme, dcterms('description'))?.value ?? '';
/** From how many entries on a list is easier to find one's way in by letters. */
const manyEntries = 40;
export const VocabularyPage = ({ visit, vocabulary, entries, search, uses, resources, formats, json, }) => {
    const { title, scheme } = vocabulary;
    const groups = byLetter(entries);
    return (_jsxs(Page, { visit: visit, title: title, styles: ['reference.css'], children: [_jsx("header", { class: "page-head", children: _jsxs("div", { children: [_jsx(Kicker, { vocabulary: vocabulary }), _jsx("h1", { children: title })] }) }), _jsx("p", { class: "lead", children: descriptionOf(vocabulary) }), _jsxs("form", { class: "controls", method: "get", action: visit.path, role: "search", "data-live-form": true, children: [_jsxs("label", { class: "grow", children: [_jsxs("span", { children: ["Search ", title.toLowerCase()] }), _jsx("input", { type: "search", name: "search", value: search, autocomplete: "off" })] }), _jsx("button", { children: "Search" })] }), _jsxs("div", { "data-live": true, children: [_jsxs("p", { class: "count", role: "status", children: [_jsx("strong", { children: entries.length.toLocaleString('en') }), ' ', entries.length === 1 ? 'entry' : 'entries'] }), entries.length > manyEntries && (_jsx("nav", { class: "letters", "aria-label": "Letters", children: _jsx("ul", { children: groups.map(([letter]) => (_jsx("li", { children: _jsx("a", { href: `#${anchorOf(letter)}`, children: letter }) }, letter))) }) })), entries.length > manyEntries ? (groups.map(([letter, within]) => (_jsxs("section", { class: "letter", "aria-labelledby": anchorOf(letter), children: [_jsx("h2", { id: anchorOf(letter), children: letter }), _jsx(Entries, { vocabulary, uses, resources, entries: within })] }, letter)))) : (_jsx(Entries, { vocabulary, uses, resources, entries })), _jsxs("p", { class: "made", children: ["As a concept scheme: ", _jsx("a", { href: schemePath(vocabulary), children: scheme.value })] }), _jsx(Formats, { visit: visit, formats: formats }), _jsx(Request, { visit: visit, json: json })] })] }));
};
const Kicker = ({ vocabulary }) => {
    const isPlace = entryPath(vocabulary).startsWith('/api/geography/');
    return (_jsx("p", { class: "kicker", children: _jsx("a", { href: isPlace ? '/api/geography/' : '/api/vocabularies/', children: isPlace ? 'Geography' : 'Vocabularies' }) }));
};
const anchorOf = (letter) => (letter === '#' ? 'others' : `letter-${letter}`);
/** The entries in their order, by the letter that a reader looks under. */
function byLetter(entries) {
    const groups = new Map();
    for (const entry of entries) {
        const initial = entry.label.normalize('NFD').charAt(0).toUpperCase();
        const letter = /[A-Z]/.test(initial) ? initial : '#';
        const group = groups.get(letter);
        if (group)
            group.push(entry);
        else
            groups.set(letter, [entry]);
    }
    return [...groups];
}
const Entries = ({ vocabulary, entries, uses, resources, }) => (_jsx("ul", { class: entries.some(({ definition }) => definition) ? 'entries-list' : 'entries-list terse', children: entries.map(({ code, label, definition }) => (_jsxs("li", { children: [_jsxs("p", { children: [_jsx("a", { class: "term", href: entryPath(vocabulary, code), children: label }), ' ', _jsx("code", { children: code }), uses.map(({ name, filter, counts }) => {
                        const count = counts.get(code) ?? 0;
                        return count === 0 ? null : (_jsxs(Fragment, { children: [' ', _jsx("span", { class: "used", children: _jsxs("a", { href: listPath(name, { [filter]: code }), children: [count.toLocaleString('en'), " ", nounFor(resources, name, count)] }) })] }, `${name} ${filter}`));
                    })] }), definition && _jsx("p", { class: "definition", children: definition })] }, code))) }));
const nounFor = (resources, name, count) => count === 1 ? resources[name].noun.toLowerCase() : name;
export const EntryPage = ({ visit, vocabulary, entry, related, resources, places, formats, json, }) => (_jsx(Page, { visit: visit, title: `${entry.label} (${vocabulary.title})`, styles: ['reference.css'], children: _jsxs("article", { class: "record", children: [_jsx("header", { class: "page-head", children: _jsxs("div", { children: [_jsx("p", { class: "kicker", children: _jsx("a", { href: entryPath(vocabulary), children: vocabulary.title }) }), _jsx("h1", { children: entry.label })] }) }), _jsxs("div", { class: "with-side right", children: [_jsxs("div", { children: [entry.definition && _jsx("p", { class: "lead", children: entry.definition }), _jsxs("dl", { class: "fields", children: [_jsxs("div", { children: [_jsx("dt", { children: "Code" }), _jsx("dd", { children: _jsx("code", { children: entry.code }) })] }), factsOf(vocabulary, entry).map(({ title, terms }) => (_jsxs("div", { children: [_jsx("dt", { children: title }), _jsx("dd", { children: _jsx(Terms, { vocabulary: vocabulary, terms: terms }) })] }, title))), places !== undefined && (_jsxs("div", { children: [_jsx("dt", { children: "Places" }), _jsx("dd", { children: _jsxs("a", { href: places, children: ["Places in ", entry.label] }) })] })), _jsxs("div", { children: [_jsx("dt", { children: "IRI" }), _jsx("dd", { children: _jsx("a", { href: entry.uri, children: entry.uri }) })] })] })] }), _jsxs("aside", { "aria-label": "Records", children: [related.map((one) => (_jsx(RelatedBox, { related: one, resources: resources }, one.path))), _jsx(Formats, { visit: visit, formats: formats })] })] }), _jsx(Request, { visit: visit, json: json })] }) }));
// prettier-ignore
const properties = [
    ['Also called', skos('altLabel')],
    ['Scope', skos('scopeNote')],
    ['Note', skos('note')],
    ['Example', skos('example')],
    ['Broader', skos('broader')],
    ['Related', skos('related')],
    ['The same elsewhere', skos('exactMatch')],
    ['Close to', skos('closeMatch')],
    ['Broader elsewhere', skos('broadMatch')],
    ['Narrower elsewhere', skos('narrowMatch')],
    ['Related elsewhere', skos('relatedMatch')],
    ['Source', dcterms('source')],
    ['See also', rdfs('seeAlso')],
];
/** What the vocabulary says of an entry beyond its label and definition. */
function factsOf(vocabulary, { code, uri }) {
    const said = vocabulary.statements(code);
    const facts = properties.map(([title, property]) => ({
        title,
        terms: said.filter(({ predicate }) => predicate.equals(property)).map(({ object }) => object),
    }));
    // The files say what is broader; what is narrower follows.
    const narrower = vocabulary.entries
        .filter((other) => vocabulary
        .statements(other.code)
        .some(({ predicate, object }) => predicate.equals(skos('broader')) && object.value === uri))
        .map((other) => iri(other.uri));
    return [...facts, { title: 'Narrower', terms: narrower }].filter(({ terms }) => terms.length > 0);
}
const Terms = ({ vocabulary, terms, }) => {
    const isTags = terms.every((term) => entryOf(vocabulary, term));
    return (_jsx("ul", { class: isTags ? 'values tags' : 'values', children: terms.map((term) => {
            const entry = entryOf(vocabulary, term);
            if (entry)
                return (_jsx("li", { children: _jsx("a", { href: entryPath(vocabulary, entry.code), children: entry.label }) }, term.value));
            return (_jsx("li", { children: isWebAddress(term.value) ? _jsx(Away, { href: term.value }) : term.value }, term.value));
        }) }));
};
const entryOf = ({ entries }, term) => term.termType === 'NamedNode' ? entries.find(({ uri }) => uri === term.value) : undefined;
/** Every concept at its place, so that its IRI leads to it. */
export const SchemePage = ({ visit, vocabulary, formats, turtle, }) => {
    const { title, scheme, entries } = vocabulary;
    return (_jsxs(Page, { visit: visit, title: `${title}: concept scheme`, styles: ['reference.css'], children: [_jsx("header", { class: "page-head", children: _jsxs("div", { children: [_jsx("p", { class: "kicker", children: _jsx("a", { href: "/ns", children: "Linked data" }) }), _jsx("h1", { children: title })] }) }), _jsx("p", { class: "lead", children: descriptionOf(vocabulary) }), _jsxs("p", { class: "made", children: ["The concept scheme ", _jsx("code", { children: scheme.value }), " and its ", entries.length.toLocaleString('en'), ' ', "concepts.", ' ', isServed(vocabulary) && _jsx("a", { href: entryPath(vocabulary), children: "The list that records use" })] }), _jsx("dl", { class: "concepts", children: entries.map(({ code, label, uri, definition }) => (_jsxs("div", { id: code, children: [_jsxs("dt", { children: [isServed(vocabulary) ? _jsx("a", { href: entryPath(vocabulary, code), children: label }) : label, ' ', _jsx("code", { children: code })] }), _jsxs("dd", { children: [definition && _jsx("p", { children: definition }), _jsx("p", { class: "iri", children: uri })] })] }, code))) }), _jsx(Formats, { visit: visit, formats: formats }), _jsx(RequestAs, { visit: visit, type: "text/turtle", text: turtle })] }));
};
//# sourceMappingURL=vocabulary.js.map