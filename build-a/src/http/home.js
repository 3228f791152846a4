import { jsx as _jsx } from "preact/jsx-runtime";
import { filtersOf } from '../model/facts.js';
import { HomePage } from '../html/home.js';
import { entryPath, listPath } from '../html/links.js';
import { choicesOf } from './browse.js';
import { json } from './negotiate.js';
import { rootLinks } from './root.js';
import { showPage, visitOf } from './sight.js';
// prettier-ignore
const shares = [
    { title: 'Top subjects', of: 'zines', by: 'subject', most: 12, all: entryPath({ name: 'subjects' }) },
    { title: 'Top genres', of: 'zines', by: 'genre', most: 12, all: entryPath({ name: 'genres' }) },
    { title: 'Languages', of: 'zines', by: 'language', most: 8, all: entryPath({ name: 'languages' }) },
    { title: 'Holdings by repository', of: 'holdings', by: 'repository_id', most: 8, all: listPath('repositories') },
    { title: 'Holdings by access', of: 'holdings', by: 'access_status', most: 8, all: entryPath({ name: 'access-status' }) },
];
export function homePage(browsing) {
    const { assets, catalogue, numbers, resources } = browsing;
    const marksOf = async (name, by, most) => {
        const counts = await numbers.tally(name, by);
        const filter = filterOf(resources, name, by);
        const choices = await choicesOf(catalogue, resources, filter, counts.slice(0, most));
        const marks = choices.map(({ value, label, count }) => ({
            label,
            count,
            href: listPath(name, { [by]: value }),
        }));
        return { marks, isWhole: counts.length <= most };
    };
    return async (ctx) => {
        const { counts } = await numbers.survey();
        const years = await marksOf('zines', 'year', Infinity);
        const found = [];
        for (const { title, of, by, most, all } of shares) {
            const { marks, isWhole } = await marksOf(of, by, most);
            found.push({ title, marks, all: isWhole ? '' : all });
        }
        const page = (_jsx(HomePage, { visit: visitOf(ctx, assets), resources: resources, counts: counts, years: years.marks, shares: found, newest: await numbers.newest(), formats: [json], json: JSON.stringify(rootLinks(ctx)) }));
        showPage(ctx, page);
    };
}
function filterOf(resources, name, by) {
    const filter = filtersOf(resources[name]).find((one) => one.name === by);
    if (!filter)
        throw new Error(`no filter of ${name} is called ${by}`);
    return filter;
}
//# sourceMappingURL=home.js.map