import { jsx as _jsx, Fragment as _Fragment, jsxs as _jsxs } from "preact/jsx-runtime";
import { textOf } from '../model/card.js';
import { valuesIn } from '../model/read-shape.js';
import { entryPath, isServed, listPath, recordPath } from './links.js';
/** All values of a field; nothing where it has none. */
export const Values = ({ field, sheet: { resource, card, cards }, resources, }) => {
    const values = textsIn(field, card);
    const items = values.map((value) => (_jsx(Value, { field, value, cards, resources, resource: resource.name }, value)));
    if (items.length < 2)
        return _jsx(_Fragment, { children: items });
    return (_jsx("ul", { class: field.kind === 'code' ? 'values tags' : 'values', children: items.map((item, index) => (_jsx("li", { children: item }, index))) }));
};
/** The values of a field as texts; a number or a truth is one. */
export function textsIn(field, card) {
    const value = card[field.name];
    if (typeof value === 'number' || typeof value === 'boolean')
        return [String(value)];
    return valuesIn(field, card);
}
const Value = ({ resource, field, value, cards, resources }) => {
    if (field.target) {
        const card = cards({ target: field.target, id: value });
        const name = card && titleOf(resources, field.target, card);
        // Of a record that was deleted since, the identifier is left, and no page.
        return name === undefined ? (_jsxs("span", { class: "gone", children: [value, " (deleted)"] })) : (_jsx("a", { href: recordPath(field.target, value), children: name }));
    }
    if (field.vocabulary) {
        const { vocabulary } = field;
        const label = vocabulary.find(value)?.label ?? value;
        if (field.filter)
            return _jsx("a", { href: listPath(resource, { [field.name]: value }), children: label });
        return isServed(vocabulary) ? _jsx("a", { href: entryPath(vocabulary, value), children: label }) : _jsx(_Fragment, { children: label });
    }
    if (field.kind === 'boolean')
        return _jsx(_Fragment, { children: value === 'true' ? 'Yes' : 'No' });
    if (field.kind === 'time')
        return _jsx(Time, { value: value });
    if (field.kind === 'email')
        return _jsx("a", { href: `mailto:${encodeURI(value)}`, children: value });
    if (field.prefix)
        return _jsx(Away, { href: field.prefix + value, children: value });
    if (isWebAddress(value))
        return _jsx(Away, { href: value });
    return _jsx("span", { class: "text", children: value });
};
/** A link that leaves the catalogue, to where somebody wrote that it leads. */
export const Away = ({ href, children }) => (_jsx("a", { href: href, rel: "nofollow ugc noopener", children: children ?? href.replace(/^https?:\/\//, '').replace(/\/$/, '') }));
export const Time = ({ value }) => (_jsx("time", { dateTime: value, children: value.slice(0, 10) }));
/** Whether a text may be linked to: no other scheme is safe, or leads anywhere from here. */
export const isWebAddress = (text) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
/** By what people know a record; its identifier where it has no name. */
export function titleOf(resources, name, card) {
    const { title, id } = resources[name];
    const known = title ? textOf(card, title.name) : '';
    return known === '' ? textOf(card, id.name) : known;
}
//# sourceMappingURL=value.js.map