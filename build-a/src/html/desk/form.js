import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from "preact/jsx-runtime";
import { desk, entryPath, recordPath } from '../links.js';
import { Csrf } from '../page.js';
import { Summary } from '../summary.js';
import { titleOf } from '../value.js';
import { DeskPage } from './frame.js';
export const FormPage = (props) => {
    const { visit, resource, id, typed, failures, notice, version, others = [] } = props;
    const { duplicates = [], resources } = props;
    const noun = resource.noun.toLowerCase();
    const fields = resource.written.filter((field) => id === undefined || field !== resource.id);
    return (_jsxs(DeskPage, { visit: visit, title: id === undefined ? `New ${noun}` : `Edit ${noun} ${id}`, notice: notice, scripts: ['form.js'], children: [failures.size > 0 && _jsx(Wrongs, { resource: resource, failures: failures }), others.length > 0 && _jsx(Others, { others: others }), _jsxs("form", { method: "post", action: id === undefined ? desk.create(resource.name) : desk.edit(resource.name, id), class: "record-form", "data-form": true, children: [_jsx(Csrf, { token: visit.csrf }), _jsx("button", { class: "sr", tabIndex: -1, "aria-hidden": "true", children: "Save" }), version !== undefined && _jsx("input", { type: "hidden", name: ".version", value: version }), fields.map((field) => (_jsx(FieldBox, { ...props, field: field, values: typed.get(field.name) ?? [] }, field.name))), duplicates.length > 0 && (_jsxs("section", { class: "notice look", role: "alert", "aria-label": "Possible duplicates", children: [_jsx("h2", { children: "Is it one of these?" }), _jsx("ul", { class: "records", children: duplicates.map((sheet) => (_jsx("li", { children: _jsx(Summary, { sheet: sheet, resources: resources }) }, sheet.card[sheet.resource.id.name]))) }), _jsx("input", { type: "hidden", name: ".confirm", value: "yes" })] })), _jsxs("p", { class: "actions", children: [_jsx("button", { children: submitLabel(noun, id, duplicates.length > 0, others.length > 0) }), _jsx("a", { class: "button quiet", href: id === undefined ? `/api/${resource.name}/` : recordPath(resource.name, id), children: "Cancel" })] })] })] }));
};
function submitLabel(noun, id, isDoubtful, isContested) {
    if (id !== undefined)
        return isContested ? 'Save over the other changes' : 'Save';
    return isDoubtful ? `Create the ${noun} all the same` : `Create the ${noun}`;
}
const Wrongs = ({ resource, failures, }) => (_jsxs("section", { class: "notice wrong", role: "alert", tabIndex: -1, "data-focus": true, children: [_jsx("h2", { children: "Not saved yet" }), _jsx("ul", { children: [...failures].map(([name, messages]) => (_jsxs("li", { children: [_jsx("a", { href: `#field-${name}`, children: resource.byName.get(name)?.label ?? name }), ":", ' ', messages.join(' ')] }, name))) })] }));
const Others = ({ others }) => (_jsxs("section", { class: "notice look", role: "alert", tabIndex: -1, "data-focus": true, children: [_jsx("h2", { children: "Somebody else changed this record meanwhile" }), _jsx("p", { children: "Nothing of yours is lost: it stands in the form. Where it differs, the record now says:" }), _jsx("dl", { class: "fields", children: others.map(({ field, now }) => (_jsxs("div", { children: [_jsx("dt", { children: _jsx("a", { href: `#field-${field.name}`, children: field.label }) }), _jsx("dd", { class: "text", children: now === '' ? '(nothing)' : now })] }, field.name))) })] }));
const FieldBox = (props) => {
    const { field, failures } = props;
    const messages = failures.get(field.name) ?? [];
    const Body = field.many ? Rows : Single;
    const id = `field-${field.name}`;
    return (_jsxs("div", { class: messages.length > 0 ? 'field wrong' : 'field', id: field.many ? id : undefined, children: [field.many ? (_jsxs("p", { class: "field-name", id: `${id}-name`, children: [field.label, " ", _jsx(Required, { field: field })] })) : (field.kind !== 'boolean' && (_jsxs("p", { class: "field-name", children: [_jsx("label", { for: id, children: field.label }), " ", _jsx(Required, { field: field })] }))), _jsx("p", { class: "hint", id: `${id}-hint`, children: hintOf(field) }), messages.length > 0 && (_jsx("p", { class: "message", id: `${id}-wrong`, children: messages.join(' ') })), _jsx(Body, { ...props })] }));
};
const Required = ({ field }) => field.required && field.filled ? _jsx("span", { class: "required", children: "required" }) : null;
/** What the ontology says of the property, as far as it helps; the reasons are for others. */
const hintOf = ({ comment, private: isPrivate }) => comment.replace(/ Our own because .*$/s, '') +
    (isPrivate ? ' Shown to nobody but editors unless the agent is public.' : '');
const described = ({ field, failures }) => [
    `field-${field.name}-hint`,
    ...(failures.has(field.name) ? [`field-${field.name}-wrong`] : []),
].join(' ');
const Single = (props) => {
    const { field, values, failures } = props;
    const id = `field-${field.name}`;
    const value = values[0] ?? '';
    const common = {
        id,
        name: field.name,
        'aria-describedby': described(props),
        'aria-invalid': failures.has(field.name) ? 'true' : undefined,
    };
    if (field.kind === 'boolean')
        return (_jsxs("label", { class: "choice", children: [_jsx("input", { type: "checkbox", value: "true", checked: value === 'true', ...common }), field.label] }));
    if (field.vocabulary && field.vocabulary.entries.length <= mostOptions)
        return _jsx(Select, { field, value, common });
    if (field.kind === 'reference' || field.vocabulary)
        return _jsx(Picked, { ...props, value, common });
    if (isLong(field, value))
        return (_jsx("textarea", { rows: 4, ...common, children: value }));
    return (_jsx("input", { type: "text", inputMode: inputModes[field.kind], value: value, required: field.filled, autocomplete: "off", ...common }));
};
// Beyond that, a list is searched rather than looked through.
const mostOptions = 300;
const inputModes = {
    url: 'url',
    link: 'url',
    email: 'email',
    integer: 'numeric',
};
// A single line would lose the breaks that a value has.
const isLong = ({ maxLength, kind }, value) => kind === 'text' && (maxLength === undefined || value.includes('\n'));
const Select = ({ field, value, common, }) => {
    const entries = field.vocabulary?.entries ?? [];
    return (_jsxs("select", { ...common, children: [_jsx("option", { value: "", children: field.filled ? 'Choose …' : '(none)' }), value !== '' && !entries.some(({ code }) => code === value) && (_jsx("option", { value: value, selected: true, children: value })), entries.map(({ code, label }) => (_jsx("option", { value: code, selected: code === value, children: label }, code)))] }));
};
/** The values of a repeatable field, each in a row of its own, and one row for another. */
const Rows = (props) => {
    const { field, values } = props;
    const rows = [...values, ''];
    const id = `field-${field.name}`;
    return (_jsxs(_Fragment, { children: [_jsx("ol", { class: "rows", "data-rows": field.name, "aria-labelledby": `${id}-name`, children: rows.map((value, index) => (_jsxs("li", { children: [_jsx(Row, { ...props, value: value, index: index }), _jsxs("span", { class: "row-buttons", children: [_jsx("button", { class: "quiet small", name: ".up", value: `${field.name}:${index}`, formNoValidate: true, disabled: index === 0, "aria-label": `Move ${field.label.toLowerCase()} ${index + 1} up`, children: "\u2191" }), _jsx("button", { class: "quiet small", name: ".drop", value: `${field.name}:${index}`, formNoValidate: true, "aria-label": `Remove ${field.label.toLowerCase()} ${index + 1}`, children: "\u00D7" })] })] }, index))) }), _jsxs("button", { class: "quiet small", name: ".more", value: field.name, formNoValidate: true, children: ["Another ", field.label.toLowerCase()] }), field.vocabulary && _jsx(CodeList, { field: field })] }));
};
const Row = (props) => {
    const { field, value, index } = props;
    const common = {
        name: field.name,
        'aria-label': `${field.label} ${index + 1}`,
        'aria-describedby': described(props),
    };
    if (field.kind === 'reference' || field.vocabulary)
        return _jsx(Picked, { ...props, common: common });
    return isLong(field, value) ? (_jsx("textarea", { rows: 1, ...common, children: value })) : (_jsx("input", { type: "text", inputMode: inputModes[field.kind], value: value, autocomplete: "off", ...common }));
};
/** What is picked from a list that is too long to be shown: its code or identifier, with its name beside it. */
const Picked = ({ field, value, cards, resources, common, }) => {
    const { source, id, title } = sourceOf(field, resources);
    return (_jsxs("span", { class: "picked", children: [_jsx("input", { type: "text", value: value, autocomplete: "off", list: field.vocabulary && `codes-${field.name}`, "data-picker": source, "data-picker-id": id, "data-picker-title": title, "data-picker-label": labelOf(field, value, cards, resources), ...common }), _jsx("span", { class: "picked-label", children: labelOf(field, value, cards, resources) })] }));
};
/** Where the values of a field are searched, and which keys of what is found there are which. */
function sourceOf({ target, vocabulary }, resources) {
    if (target) {
        const { id, title } = resources[target];
        return { source: `/api/${target}/`, id: id.name, title: title?.name ?? id.name };
    }
    return { source: vocabulary ? entryPath(vocabulary) : '', id: 'code', title: 'label' };
}
function labelOf(field, value, cards, resources) {
    if (value === '')
        return '';
    if (!field.target)
        return field.vocabulary?.find(value)?.label ?? '';
    const card = cards({ target: field.target, id: value });
    return card ? titleOf(resources, field.target, card) : '';
}
/** For browsers without scripts: what the codes are. */
const CodeList = ({ field }) => (_jsx("datalist", { id: `codes-${field.name}`, children: field.vocabulary?.entries.map(({ code, label }) => (_jsx("option", { value: code, children: label }, code))) }));
/** What goes when a record is deleted, before it does. */
export const RemovePage = ({ visit, resource, id, title, version, effects, notice, }) => (_jsxs(DeskPage, { visit: visit, title: `Delete ${title}?`, notice: notice, children: [_jsxs("div", { class: "lead", children: [_jsxs("p", { children: ["The ", resource.noun.toLowerCase(), " ", _jsx("code", { children: id }), " will be deleted for good."] }), effects.map(({ text, path }) => (_jsx("p", { children: _jsx("a", { href: path, children: text }) }, path)))] }), _jsxs("form", { method: "post", action: desk.remove(resource.name, id), class: "actions", children: [_jsx(Csrf, { token: visit.csrf }), _jsx("input", { type: "hidden", name: ".version", value: version }), _jsx("button", { class: "danger", children: "Delete" }), _jsx("a", { class: "button quiet", href: recordPath(resource.name, id), children: "Keep it" })] })] }));
//# sourceMappingURL=form.js.map