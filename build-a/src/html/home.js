import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from "preact/jsx-runtime";
import { resourceNames } from '../model/addresses.js';
import { textOf } from '../model/card.js';
import { Bars, Columns } from './charts.js';
import { desk, listPath, titled } from './links.js';
import { Page, siteName } from './page.js';
import { Formats, Request } from './request.js';
import { Summary } from './summary.js';
export const HomePage = (home) => {
    const { visit, counts, shares, years, formats, json } = home;
    const isEmpty = Object.values(counts).every((count) => count === 0);
    return (_jsxs(Page, { visit: visit, title: siteName, styles: ['reference.css'], children: [_jsxs("header", { class: "hero", children: [_jsx("h1", { children: siteName }), _jsx("p", { class: "lead", children: "Zines, the people who make them, and the places that keep them." }), _jsxs("form", { class: "controls", method: "get", action: listPath('zines'), role: "search", children: [_jsxs("label", { class: "grow", children: [_jsx("span", { children: "Search zines" }), _jsx("input", { type: "search", name: "search", autocomplete: "off" })] }), _jsx("button", { children: "Search" })] })] }), _jsx("ul", { class: "counts", "aria-label": "The collection", children: resourceNames.map((name) => (_jsx("li", { children: _jsxs("a", { href: listPath(name), children: [_jsx("strong", { children: counts[name].toLocaleString('en') }), " ", nounFor(home, name)] }) }, name))) }), isEmpty && _jsx(Beginning, { visit: visit }), _jsx(Years, { years: years }), _jsx("div", { class: "shares", children: shares
                    .filter(({ marks }) => marks.length > 0)
                    .map((share) => (_jsx(ShareBox, { share: share }, share.title))) }), _jsx(Newest, { ...home }), _jsx(Formats, { visit: visit, formats: formats }), _jsx(Request, { visit: visit, json: json })] }));
};
const nounFor = ({ counts, resources }, name) => counts[name] === 1 ? resources[name].noun.toLowerCase() : name;
/** Said while there is nothing yet. */
const Beginning = ({ visit }) => (_jsxs("section", { class: "beginning", children: [_jsx("h2", { children: "An empty box" }), _jsx("p", { children: "Nothing is catalogued here yet. To begin:" }), _jsxs("ol", { children: [_jsx("li", { children: visit.account ? (_jsxs(_Fragment, { children: ["Add the ", _jsx("a", { href: desk.create('agents'), children: "first maker" }), ", then the", ' ', _jsx("a", { href: desk.create('zines'), children: "first zine" }), " of theirs; a", ' ', _jsx("a", { href: desk.create('repositories'), children: "repository" }), " and its holdings say where it is kept."] })) : (_jsxs(_Fragment, { children: [_jsx("a", { href: desk.login, children: "Sign in" }), " and add a maker, a zine, and where it is kept."] })) }), _jsxs("li", { children: ["Or bring a whole collection in with ", _jsx("code", { children: "load" }), "; the README says how, and", ' ', _jsx("code", { children: "npm run sample" }), " loads a small one to look at."] })] })] }));
const Years = ({ years }) => {
    const { columns, others } = spanOf(years);
    const most = [...columns].sort((a, b) => b.count - a.count)[0];
    if (!most)
        return null;
    const [first, last] = [columns[0], columns.at(-1)];
    return (_jsxs("section", { class: "chart", "aria-labelledby": "by-year", children: [_jsx("h2", { class: "label", id: "by-year", children: "Zines by year" }), _jsxs("p", { children: ["From ", first?.year, " to ", last?.year, "; most, ", most.count.toLocaleString('en'), ", from", ' ', most.year, "."] }), _jsx(Columns, { columns: columns, of: "zines" }), _jsxs("details", { class: "numbers", children: [_jsx("summary", { children: "All years as a list" }), _jsxs("dl", { children: [decadesOf(columns).map(([decade, within]) => (_jsxs("div", { children: [_jsxs("dt", { children: [decade, "s"] }), _jsx("dd", { children: _jsx(YearList, { marks: within }) })] }, decade))), others.length > 0 && (_jsxs("div", { children: [_jsx("dt", { children: "Others" }), _jsx("dd", { children: _jsx(YearList, { marks: others }) })] }))] })] })] }));
};
const YearList = ({ marks }) => {
    const some = marks.filter(({ count }) => count > 0);
    if (some.length === 0)
        return _jsx(_Fragment, { children: "none" });
    return (_jsx("ul", { children: some.map(({ label, count, href }) => (_jsxs("li", { children: [_jsx("a", { href: href, children: label }), " ", count.toLocaleString('en')] }, href))) }));
};
const longestSpan = 100;
/** The years in a row, gaps included: of those too far apart, the hundred with the most zines. */
export function spanOf(marks) {
    const years = marks
        .filter(({ label }) => /^\d{4}$/.test(label))
        .map((mark) => ({ ...mark, year: Number(mark.label) }))
        .sort((a, b) => a.year - b.year);
    const from = (start) => years.filter(({ year }) => year >= start && year < start + longestSpan);
    const [within = []] = years
        .map(({ year }) => from(year))
        .sort((a, b) => total(b) - total(a) || b.length - a.length);
    const byYear = new Map(within.map((one) => [one.year, one]));
    const [first, last] = [within[0]?.year ?? 0, within.at(-1)?.year ?? -1];
    const columns = Array.from({ length: last - first + 1 }, (_, index) => {
        const year = first + index;
        return byYear.get(year) ?? { year, label: String(year), count: 0, href: '' };
    });
    const others = marks
        .filter(({ label }) => !byYear.has(Number(label)))
        .map((mark) => ({ ...mark, label: mark.label.replace(/^(\d{3})X$/, '$10s') }))
        .sort((a, b) => (a.label < b.label ? -1 : 1));
    return { columns, others };
}
const total = (marks) => marks.reduce((sum, { count }) => sum + count, 0);
function decadesOf(columns) {
    const decades = new Map();
    for (const column of columns) {
        const decade = Math.floor(column.year / 10) * 10;
        const within = decades.get(decade);
        if (within)
            within.push(column);
        else
            decades.set(decade, [column]);
    }
    return [...decades];
}
const ShareBox = ({ share: { title, marks, all } }) => (_jsxs("section", { class: "chart", children: [_jsx("h2", { class: "label", children: title }), _jsx(Bars, { marks: marks }), all !== '' && (_jsx("p", { children: _jsxs("a", { href: all, children: ["All ", _jsxs("span", { class: "sr", children: ["of: ", title] })] }) }))] }));
const Newest = ({ newest, resources }) => newest.length === 0 ? null : (_jsxs("section", { class: "newest", children: [_jsx("h2", { class: "label", children: "Newest arrivals" }), _jsx("ul", { children: newest.map((sheet) => (_jsx("li", { children: _jsx(Summary, { sheet: sheet, resources: resources }) }, textOf(sheet.card, sheet.resource.id.name)))) }), _jsx("p", { children: _jsxs("a", { href: listPath('zines'), children: ["All ", titled('zines').toLowerCase()] }) })] }));
//# sourceMappingURL=home.js.map