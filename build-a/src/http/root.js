// The front door: what there is, as links.
import { geographyNames, vocabularyNames } from '../model/declarations.js';
import { resourceNames } from '../model/addresses.js';
import { sendJson } from './conditional.js';
import { json } from './negotiate.js';
import { originOf } from './query.js';
const vocabularies = vocabularyNames.map((name) => [name, `/api/vocabularies/${name}/`]);
const geography = ['places', ...geographyNames].map((name) => [
    name,
    `/api/geography/${name}/`,
]);
const all = [
    ...resourceNames.map((name) => [name, `/api/${name}/`]),
    ...vocabularies,
    ...geography,
    ['schema', '/api/schema/'],
];
export const rootEndpoints = (pages) => [
    {
        path: '/api/',
        name: 'Api Root',
        description: 'A catalogue of zines, of those who make them, and of where they are kept.',
        formats: [json],
        page: pages.home,
        methods: { GET: (ctx) => sendJson(ctx, rootLinks(ctx)) },
    },
    {
        path: '/api/vocabularies/',
        name: 'Vocabularies',
        description: 'The controlled lists from which records take their codes, as links.',
        formats: [json],
        page: pages.vocabularies,
        methods: { GET: (ctx) => sendJson(ctx, vocabularyLinks(ctx)) },
    },
    {
        path: '/api/geography/',
        name: 'Geography',
        description: 'The lists of places, countries and languages, as links.',
        formats: [json],
        page: pages.geography,
        methods: { GET: (ctx) => sendJson(ctx, geographyLinks(ctx)) },
    },
];
export const rootLinks = (ctx) => linksOn(ctx, all);
export const vocabularyLinks = (ctx) => linksOn(ctx, vocabularies);
export const geographyLinks = (ctx) => linksOn(ctx, geography);
const linksOn = (ctx, links) => Object.fromEntries(links.map(([name, path]) => [name, originOf(ctx) + path]));
/** Whoever asks for the host alone is led to the home. */
export const doorEndpoint = {
    path: '/',
    name: 'Door',
    description: 'Leads to the home of the catalogue.',
    formats: [json],
    page: leadHome,
    methods: { GET: leadHome },
};
function leadHome(ctx) {
    ctx.status = 302;
    ctx.set('Location', `${originOf(ctx)}/api/`);
    ctx.body = '';
}
//# sourceMappingURL=root.js.map