import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from "preact/jsx-runtime";
import { textOf, valuesOf } from '../model/card.js';
import { valuesIn } from '../model/read-shape.js';
import { listPath, recordPath } from './links.js';
import { titleOf } from './value.js';
export const Summary = (props) => {
    const { card, resource } = props.sheet;
    const Lines = lines[resource.name];
    const issue = textOf(card, 'issue_designation');
    return (_jsxs("article", { class: "summary", children: [_jsxs("h3", { children: [_jsx("a", { href: recordPath(resource.name, textOf(card, resource.id.name)), children: calledIn(props) }), issue && _jsxs("span", { class: "issue", children: [" ", issue] })] }), _jsx(Lines, { ...props })] }));
};
/** What it is called on the page of a zine: a holding, after where it is. */
const calledIn = ({ sheet, resources, on }) => on === 'zines' && sheet.resource.name === 'holdings'
    ? nameIn(sheet, resources, 'repository_id')
    : nameOf(sheet, resources);
const ZineLines = ({ sheet: { card, cards }, resources }) => (_jsxs(_Fragment, { children: [_jsxs(Line, { children: [_jsx(People, { ids: valuesOf(card, 'creator'), cards, resources }), valuesOf(card, 'date').join(', '), valuesOf(card, 'series_title').join(', ')] }), _jsx(Codes, { name: "zines", field: "subject", card, resources })] }));
const AgentLines = ({ sheet: { card }, resources }) => (_jsxs(_Fragment, { children: [_jsxs(Line, { children: [labelOf(resources, 'agents', 'kind', card), textOf(card, 'pronouns')] }), _jsx(Excerpt, { text: textOf(card, 'biography') })] }));
const RepositoryLines = ({ sheet: { card }, resources }) => (_jsxs(Line, { children: [labelOf(resources, 'repositories', 'repository_kind', card), [
            textOf(card, 'city'),
            textOf(card, 'region'),
            labelOf(resources, 'repositories', 'country', card),
        ]
            .filter(Boolean)
            .join(', '), textOf(card, 'status') !== 'active' && labelOf(resources, 'repositories', 'status', card)] }));
const HoldingLines = ({ sheet, resources, on }) => (_jsxs(Line, { children: [on === undefined && nameIn(sheet, resources, 'repository_id'), textOf(sheet.card, 'call_number'), labelOf(resources, 'holdings', 'access_status', sheet.card), textOf(sheet.card, 'location')] }));
const lines = {
    zines: ZineLines,
    agents: AgentLines,
    repositories: RepositoryLines,
    holdings: HoldingLines,
};
/** What a record is called at the head of its page: a holding, after the zine that it is of. */
export const nameOf = (sheet, resources) => sheet.resource.name === 'holdings'
    ? holdingTitle(sheet, resources)
    : titleOf(resources, sheet.resource.name, sheet.card);
const holdingTitle = (sheet, resources) => nameIn(sheet, resources, 'zine_id') || textOf(sheet.card, 'holding_id');
/** The name of the record that a field refers to. */
export function nameIn({ resource, card, cards }, resources, name) {
    const field = resource.byName.get(name);
    const [id] = field ? valuesIn(field, card) : [];
    if (!field?.target || id === undefined)
        return '';
    const named = cards({ target: field.target, id });
    return named ? titleOf(resources, field.target, named) : id;
}
/** The parts of a line, with a mark between those that there are. */
const Line = ({ children }) => {
    const parts = [children].flat().filter(Boolean);
    if (parts.length === 0)
        return null;
    return (_jsx("p", { class: "line", children: parts.map((part, index) => (_jsx("span", { children: part }, index))) }));
};
const shownPeople = 4;
const People = ({ ids, cards, resources, }) => {
    const names = ids.slice(0, shownPeople).map((id, index) => {
        const card = cards({ target: 'agents', id });
        return (_jsxs("span", { children: [index > 0 && ', ', card ? _jsx("a", { href: recordPath('agents', id), children: titleOf(resources, 'agents', card) }) : id] }, id));
    });
    const more = ids.length - shownPeople;
    return (_jsxs(_Fragment, { children: [names, more > 0 && ` and ${more} more`] }));
};
const shownCodes = 6;
const Codes = ({ name, field, card, resources, }) => {
    const codes = valuesOf(card, field);
    if (codes.length === 0)
        return null;
    const vocabulary = resources[name].byName.get(field)?.vocabulary;
    return (_jsxs("ul", { class: "tags", children: [codes.slice(0, shownCodes).map((code) => (_jsx("li", { children: _jsx("a", { href: listPath(name, { [field]: code }), children: vocabulary?.find(code)?.label ?? code }) }, code))), codes.length > shownCodes && _jsxs("li", { children: ["+", codes.length - shownCodes] })] }));
};
function labelOf(resources, name, field, card) {
    const code = textOf(card, field);
    return resources[name].byName.get(field)?.vocabulary?.find(code)?.label ?? code;
}
const longest = 220;
const Excerpt = ({ text }) => text === '' ? null : (_jsx("p", { class: "excerpt", children: text.length > longest ? `${text.slice(0, longest)}…` : text }));
//# sourceMappingURL=summary.js.map