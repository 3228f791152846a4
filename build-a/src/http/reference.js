// The reference lists: vocabularies and countries and languages as plain arrays, places in pages
// (decisions: Reference lists).
import { NotFound } from '../catalogue/failures.js';
import { searchTerms } from '../catalogue/search.js';
import { printPlace, printPlaces } from '../formats/places.js';
import { formatsOfData } from '../formats/rdf.js';
import { printEntries, printEntry } from '../formats/vocabularies.js';
import { geographyNames, vocabularyNames } from '../model/declarations.js';
import { send } from './conditional.js';
import { cut, linkPages, pageRequestOf } from './pages.js';
import { lastOf, queryOf } from './query.js';
export const referenceEndpoints = (parts) => [
    ...vocabularyNames.flatMap((name) => vocabularyEndpoints(`/api/vocabularies/${name}/`, parts.vocabularies[name], parts)),
    ...geographyNames.flatMap((name) => vocabularyEndpoints(`/api/geography/${name}/`, parts.vocabularies[name], parts)),
    ...placeEndpoints(parts),
];
/** The entries that a request searches for. */
export function foundIn(ctx, { entries }) {
    const terms = searchTerms(lastOf(ctx, 'search'));
    return entries.filter(({ code, label }) => terms.every((term) => `${code}\n${label}`.toLowerCase().includes(term)));
}
/** The entry that the path names. @throws NotFound */
export function entryAt(ctx, vocabulary) {
    const entry = vocabulary.find(ctx.params.code ?? '');
    if (!entry)
        throw new NotFound();
    return entry;
}
/** The page of places that a request asks for. @throws NoSuchPage */
export function placesFound(ctx, places) {
    const query = queryOf(ctx);
    const request = pageRequestOf(ctx);
    const found = places.search({
        terms: searchTerms(query.get('search') ?? ''),
        countryCode: query.get('country_code') ?? '',
        level: query.get('level') ?? '',
    });
    const { count, results } = cut(found, request);
    return { request, count, results, links: linkPages(ctx, request, count) };
}
/** The place that the path names. @throws NotFound */
export function placeAt(ctx, places) {
    const place = places.find(ctx.params.geoname_id ?? '');
    if (!place)
        throw new NotFound();
    return place;
}
function vocabularyEndpoints(path, vocabulary, { around, pages }) {
    const { title } = vocabulary;
    return [
        {
            path,
            name: `${title} List`,
            description: `The controlled list of ${title.toLowerCase()}.`,
            formats: formatsOfData,
            page: pages.list(vocabulary),
            methods: {
                GET(ctx) {
                    const found = foundIn(ctx, vocabulary);
                    send(ctx, printEntries(ctx.state.format, vocabulary, found, around));
                },
            },
        },
        {
            path: `${path}:code/`,
            name: `${title} Instance`,
            description: `One entry of the controlled list of ${title.toLowerCase()}.`,
            formats: formatsOfData,
            page: pages.entry(vocabulary),
            methods: {
                GET(ctx) {
                    const entry = entryAt(ctx, vocabulary);
                    send(ctx, printEntry(ctx.state.format, vocabulary, entry, around));
                },
            },
        },
    ];
}
function placeEndpoints({ places, around, pages }) {
    return [
        {
            path: '/api/geography/places/',
            name: 'Place List',
            description: 'Countries, their first-level regions and larger cities, from GeoNames.',
            formats: formatsOfData,
            page: pages.places,
            methods: {
                GET(ctx) {
                    const { count, links, results } = placesFound(ctx, places);
                    send(ctx, printPlaces(ctx.state.format, { count, links, places: results }, around));
                },
            },
        },
        {
            path: '/api/geography/places/:geoname_id/',
            name: 'Place Instance',
            description: 'One place, by its GeoNames identifier.',
            formats: formatsOfData,
            page: pages.place,
            methods: {
                GET(ctx) {
                    const place = placeAt(ctx, places);
                    send(ctx, printPlace(ctx.state.format, place, around));
                },
            },
        },
    ];
}
//# sourceMappingURL=reference.js.map