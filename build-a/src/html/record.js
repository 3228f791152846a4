import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { isOpen } from '../model/read-shape.js';
import { textOf } from '../model/card.js';
import { Citation, Coins } from './citation.js';
import { desk, listPath, titled } from './links.js';
import { Page } from './page.js';
import { Formats, Request } from './request.js';
import { Summary, nameOf } from './summary.js';
import { Time, Values, textsIn } from './value.js';
export const RecordPage = (recorded) => {
    const { visit, sheet, resources, view, thing, related, mayWrite, formats, json } = recorded;
    const { resource, card } = sheet;
    const title = nameOf(sheet, resources);
    const id = textOf(card, resource.id.name);
    return (_jsx(Page, { visit: visit, title: title, head: _jsx(Citation, { sheet, resources, thing }), children: _jsxs("article", { class: "record", children: [_jsxs("header", { class: "page-head", children: [_jsxs("div", { children: [_jsx("p", { class: "kicker", children: _jsx("a", { href: listPath(resource.name), children: titled(resource.name) }) }), _jsx("h1", { children: title }), _jsx(Coins, { sheet, resources, thing })] }), mayWrite && (_jsxs("p", { class: "actions", children: [_jsx("a", { class: "button", href: desk.edit(resource.name, id), children: "Edit" }), _jsx("a", { class: "button quiet", href: desk.remove(resource.name, id), children: "Delete" })] }))] }), _jsxs("div", { class: "with-side right", children: [_jsxs("div", { children: [_jsx("dl", { class: "fields", children: fieldsOf(resource, sheet, view).map((field) => (_jsxs("div", { children: [_jsxs("dt", { children: [field.label, field.private && card.public === false && (_jsx("span", { class: "private", children: " not public" }))] }), _jsx("dd", { children: _jsx(Values, { field, sheet, resources }) })] }, field.name))) }), _jsxs("p", { class: "made", children: [resource.id.label, " ", _jsx("code", { children: id }), ' · ', "created ", _jsx(Time, { value: textOf(card, 'created_at') }), ' · ', "updated ", _jsx(Time, { value: textOf(card, 'updated_at') }), ' · ', _jsx("a", { href: thing, children: "permanent address" })] })] }), _jsxs("aside", { "aria-label": "Related records", children: [related.map((one) => (_jsx(RelatedBox, { related: one, on: resource.name, resources: resources }, one.title))), _jsx(Formats, { visit: visit, formats: formats })] })] }), _jsx(Request, { visit: visit, json: json })] }) }));
};
/** What the record says beyond its name, its identifier and its times. */
const fieldsOf = (resource, { card }, view) => resource.fields.filter((field) => field !== resource.id &&
    field !== resource.title &&
    !field.ofRecord &&
    isOpen(field, card, view) &&
    textsIn(field, card).length > 0);
/** @param on the record whose page it stands on, where it is one's */
export const RelatedBox = ({ related: { title, path, count, sheets }, on, resources, }) => (_jsxs("section", { class: "related", children: [_jsxs("h2", { children: [title, " ", _jsx("span", { class: "count", children: count.toLocaleString('en') })] }), count === 0 && _jsx("p", { class: "none", children: "None in the catalogue." }), _jsx("ul", { class: "records", children: sheets.map((sheet) => (_jsx("li", { children: _jsx(Summary, { sheet: sheet, resources: resources, ...(on && { on }) }) }, textOf(sheet.card, sheet.resource.id.name)))) }), count > sheets.length && (_jsx("p", { children: _jsxs("a", { href: path, children: ["All ", count.toLocaleString('en')] }) }))] }));
//# sourceMappingURL=record.js.map