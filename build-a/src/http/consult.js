import { jsx as _jsx } from "preact/jsx-runtime";
import { formatsOfData } from '../formats/rdf.js';
import { printPlace, printPlaces } from '../formats/places.js';
import { printEntries, printEntry } from '../formats/vocabularies.js';
import { entryPath, listPath, placesPath, titled, withParameters } from '../html/links.js';
import { PlacePage, PlacesPage } from '../html/place.js';
import { EntryPage, OverviewPage, VocabularyPage, descriptionOf, } from '../html/vocabulary.js';
import { resourceNames } from '../model/addresses.js';
import { geographyNames, vocabularyNames } from '../model/declarations.js';
import { filtersOf } from '../model/facts.js';
import { firstOf } from './asked.js';
import { json } from './negotiate.js';
import { lastOf } from './query.js';
import { entryAt, foundIn, placeAt, placesFound } from './reference.js';
import { geographyLinks, vocabularyLinks } from './root.js';
import { showPage, visitOf } from './sight.js';
/** The pages of the reference lists, to be put beside what their addresses answer as data. */
export const consult = (consulting) => ({
    vocabularies: vocabulariesPage(consulting),
    geography: geographyPage(consulting),
    list: (vocabulary) => listPage(consulting, vocabulary),
    entry: (vocabulary) => entryPage(consulting, vocabulary),
    places: placesPage(consulting),
    place: placePage(consulting),
});
function vocabulariesPage(consulting) {
    const { assets, vocabularies } = consulting;
    return (ctx) => showPage(ctx, _jsx(OverviewPage, { visit: visitOf(ctx, assets), title: "Vocabularies", lead: "The words that records share: whoever catalogues picks from these lists, so that whoever searches finds.", groups: [
            {
                title: 'Vocabularies',
                lists: vocabularyNames.map((name) => toldOf(vocabularies[name])),
            },
            { title: 'Geography', lists: geographyTold(consulting) },
        ], formats: [json], json: JSON.stringify(vocabularyLinks(ctx)) }));
}
function geographyPage(consulting) {
    return (ctx) => showPage(ctx, _jsx(OverviewPage, { visit: visitOf(ctx, consulting.assets), title: "Geography", lead: "Where zines are made and kept, and in what languages they are.", groups: [{ title: 'Geography', lists: geographyTold(consulting) }], formats: [json], json: JSON.stringify(geographyLinks(ctx)) }));
}
const toldOf = (vocabulary) => ({
    title: vocabulary.title,
    path: entryPath(vocabulary),
    count: vocabulary.entries.length,
    description: descriptionOf(vocabulary),
});
const geographyTold = ({ vocabularies, places }) => [
    ...geographyNames.map((name) => toldOf(vocabularies[name])),
    {
        title: 'Places',
        path: placesPath,
        count: places.all.length,
        description: 'Countries, their first-level regions and larger cities, from GeoNames.',
    },
];
function listPage(consulting, vocabulary) {
    const { assets, around, resources } = consulting;
    return async (ctx) => {
        const entries = foundIn(ctx, vocabulary);
        const page = (_jsx(VocabularyPage, { visit: visitOf(ctx, assets), vocabulary: vocabulary, entries: entries, search: lastOf(ctx, 'search'), uses: await usesOf(consulting, vocabulary), resources: resources, formats: formatsOfData, json: printEntries(json, vocabulary, entries, around) }));
        showPage(ctx, page);
    };
}
/** The filters that take the codes of a vocabulary, with what they would find. */
async function usesOf({ numbers, resources }, vocabulary) {
    const uses = [];
    for (const { name, filter } of filtersBy(resources, vocabulary)) {
        const counts = await numbers.tally(name, filter);
        uses.push({
            name,
            filter,
            counts: new Map(counts.map(({ value, count }) => [value, count])),
        });
    }
    return uses;
}
const filtersBy = (resources, { name: vocabulary }) => resourceNames.flatMap((name) => filtersOf(resources[name])
    .filter((filter) => 'vocabulary' in filter && filter.vocabulary?.name === vocabulary)
    .map((filter) => ({ name, filter: filter.name })));
function entryPage(consulting, vocabulary) {
    const { assets, around, resources } = consulting;
    return async (ctx) => {
        const entry = entryAt(ctx, vocabulary);
        const page = (_jsx(EntryPage, { visit: visitOf(ctx, assets), vocabulary: vocabulary, entry: entry, related: await relatedTo(consulting, vocabulary, entry.code), resources: resources, ...(vocabulary.name === 'countries' && {
                places: withParameters(placesPath, '', { country_code: entry.code }),
            }), formats: formatsOfData, json: printEntry(json, vocabulary, entry, around) }));
        showPage(ctx, page);
    };
}
const shownRecords = 8;
async function relatedTo({ catalogue, resources }, vocabulary, code) {
    const related = [];
    for (const { name, filter } of filtersBy(resources, vocabulary)) {
        const filters = { [filter]: code };
        const request = firstOf(shownRecords, { filters });
        const { count, sheets } = await catalogue.list(name, request, 'list');
        related.push({ title: titled(name), path: listPath(name, filters), count, sheets });
    }
    return related;
}
function placesPage({ assets, around, places, vocabularies }) {
    return (ctx) => {
        const { request, count, links, results } = placesFound(ctx, places);
        showPage(ctx, _jsx(PlacesPage, { visit: visitOf(ctx, assets), countries: vocabularies.countries, places: results, count: count, page: { number: request.page, size: request.pageSize }, links: links, search: lastOf(ctx, 'search'), country: lastOf(ctx, 'country_code'), level: lastOf(ctx, 'level'), formats: formatsOfData, json: printPlaces(json, { count, links, places: results }, around) }));
    };
}
function placePage({ assets, around, places, vocabularies }) {
    return (ctx) => {
        const place = placeAt(ctx, places);
        showPage(ctx, _jsx(PlacePage, { visit: visitOf(ctx, assets), countries: vocabularies.countries, place: place, above: above(places, place), below: below(places, place), formats: formatsOfData, json: printPlace(json, place, around) }));
    };
}
function above(places, { parent }) {
    const next = parent === null ? undefined : places.find(String(parent));
    return next ? [...above(places, next), next] : [];
}
const below = (places, { geoname_id }) => places.all
    .filter(({ parent }) => parent === geoname_id)
    .sort((a, b) => (b.population ?? 0) - (a.population ?? 0));
//# sourceMappingURL=consult.js.map