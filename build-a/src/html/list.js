import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { textOf } from '../model/card.js';
import { desk, titled, withParameters } from './links.js';
import { Page } from './page.js';
import { Formats, Request } from './request.js';
import { Summary } from './summary.js';
export const ListPage = (listed) => {
    const { visit, resource, resources, sheets, count, facets, page, mayWrite } = listed;
    return (_jsxs(Page, { visit: visit, title: titled(resource.name), children: [_jsxs("header", { class: "page-head", children: [_jsx("h1", { children: titled(resource.name) }), mayWrite && (_jsxs("a", { class: "button", href: desk.create(resource.name), children: ["New ", resource.noun.toLowerCase()] }))] }), _jsx(Controls, { ...listed }), _jsxs("div", { class: "with-side", "data-live": true, children: [_jsx("aside", { class: "facets", "aria-label": "Filters", children: facets.map((facet) => (_jsx(FacetBox, { visit: visit, facet: facet }, facet.name))) }), _jsxs("section", { class: "results", "aria-label": "Records", children: [_jsxs("p", { class: "count", role: "status", children: [_jsx("strong", { children: count.toLocaleString('en') }), " ", count === 1 ? 'record' : 'records'] }), _jsx(Chosen, { visit: visit, facets: facets, search: listed.search }), sheets.length > 0 && (_jsx("ol", { class: "records", start: (page.number - 1) * page.size + 1, children: sheets.map((sheet) => (_jsx("li", { children: _jsx(Summary, { sheet: sheet, resources: resources }) }, textOf(sheet.card, resource.id.name)))) })), _jsx(Pager, { ...listed }), _jsx(Formats, { visit: visit, formats: listed.formats }), _jsx(Request, { visit: visit, json: listed.json })] })] })] }));
};
/** Search and order: a form, which a script sends while somebody types. */
const Controls = ({ visit, resource, search, ordering, facets }) => {
    const isSearched = resource.fields.some((field) => field.search);
    return (_jsxs("form", { class: "controls", method: "get", action: visit.path, role: "search", "data-live-form": true, children: [isSearched && (_jsxs("label", { class: "grow", children: [_jsxs("span", { children: ["Search ", resource.name] }), _jsx("input", { type: "search", name: "search", value: search, autocomplete: "off" })] })), _jsxs("label", { children: [_jsx("span", { children: "Order" }), _jsx("select", { name: "ordering", children: orders(resource).map(([value, label]) => (_jsx("option", { value: value, selected: value === (ordering || '-created_at'), children: label }, value))) })] }), facets
                .filter(({ chosen }) => chosen !== '')
                .map(({ name, chosen }) => (_jsx("input", { type: "hidden", name: name, value: chosen }, name))), _jsx("button", { children: isSearched ? 'Search' : 'Show' })] }));
};
/** Every order that a list can have, by one field. */
const orders = ({ fields }) => fields
    .filter((field) => field.order)
    .flatMap(({ name, label, kind }) => {
    const [up, down] = kind === 'time' ? ['earliest first', 'latest first'] : ['A to Z', 'Z to A'];
    return [
        [name, `${label}: ${up}`],
        [`-${name}`, `${label}: ${down}`],
    ];
});
const shownAtOnce = 8;
const FacetBox = ({ visit, facet }) => {
    const { label, values } = facet;
    if (values.length === 0)
        return null;
    const items = values.map((choice) => (_jsx(FacetItem, { visit: visit, facet: facet, choice: choice }, choice.value)));
    return (_jsxs("section", { class: "facet", children: [_jsx("h2", { children: label }), _jsx("ul", { children: items.slice(0, shownAtOnce) }), items.length > shownAtOnce && (_jsxs("details", { children: [_jsxs("summary", { children: ["More ", _jsxs("span", { class: "sr", children: ["of ", label.toLowerCase()] })] }), _jsx("ul", { children: items.slice(shownAtOnce) })] }))] }));
};
const FacetItem = ({ visit, facet: { name, chosen }, choice: { value, label, count }, }) => {
    const isChosen = value === chosen;
    const address = withParameters(visit.path, visit.query, {
        [name]: isChosen ? undefined : value,
        page: undefined,
    });
    return (_jsx("li", { children: _jsxs("a", { href: address, "aria-current": isChosen ? 'true' : undefined, rel: "nofollow", children: [_jsx("span", { class: "facet-label", children: label }), ' ', _jsx("span", { class: "facet-count", children: count.toLocaleString('en') })] }) }));
};
/** What narrows the list down, each with the way to be rid of it. */
const Chosen = ({ visit, facets, search, }) => {
    const chosen = [
        ...(search === '' ? [] : [{ name: 'search', label: 'Search', text: search }]),
        ...facets
            .filter((facet) => facet.chosen !== '')
            .map(({ name, label, chosen, values }) => ({
            name,
            label,
            text: values.find(({ value }) => value === chosen)?.label ?? chosen,
        })),
    ];
    if (chosen.length === 0)
        return null;
    return (_jsx("ul", { class: "chosen", "aria-label": "Chosen filters", children: chosen.map(({ name, label, text }) => (_jsx("li", { children: _jsxs("a", { href: withParameters(visit.path, visit.query, { [name]: undefined, page: undefined }), children: [_jsx("span", { class: "sr", children: "Remove " }), label, ": ", text, " ", _jsx("span", { "aria-hidden": "true", children: "\u00D7" })] }) }, name))) }));
};
export const Pager = ({ visit, count, page, links, }) => {
    const last = Math.max(1, Math.ceil(count / page.size));
    if (last === 1)
        return null;
    const to = (number) => withParameters(visit.path, visit.query, { page: number > 1 ? String(number) : undefined });
    return (_jsxs("nav", { class: "pager", "aria-label": "Pages", children: [links.previous && (_jsx("a", { rel: "prev", href: to(page.number - 1), children: "\u2190 Previous" })), _jsxs("span", { children: ["Page ", page.number.toLocaleString('en'), " of ", last.toLocaleString('en')] }), links.next && (_jsx("a", { rel: "next", href: to(page.number + 1), children: "Next \u2192" })), page.number > 2 && _jsx("a", { href: to(1), children: "First" }), page.number < last - 1 && _jsx("a", { href: to(last), children: "Last" })] }));
};
//# sourceMappingURL=list.js.map