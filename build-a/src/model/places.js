// The places list: countries, their first-level regions and larger cities, as GeoNames has them
// (vocabularies/README.md names the source and its license).
import { readFile } from 'node:fs/promises';
/** @param file a table with tabs between its columns, their names in the first line */
export async function readPlaces(file) {
    const [, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const all = rows.map(placeOf);
    const byId = new Map(all.map((place) => [String(place.geoname_id), place]));
    // Folded once: to fold 29,000 names takes longer than to look through them.
    const names = all.map(({ name }) => name.toLowerCase());
    return {
        all,
        find: (geonameId) => byId.get(geonameId),
        search({ terms, countryCode, level }) {
            return all.filter((place, index) => (countryCode === '' || place.country_code === countryCode) &&
                (level === '' || place.level === level) &&
                terms.every((term) => names[index]?.includes(term)));
        },
    };
}
function placeOf(row) {
    const [id, name = '', country = '', admin1 = '', latitude, longitude, population, level, parent] = row.split('\t');
    return {
        geoname_id: Number(id),
        name,
        country_code: country,
        admin1_code: admin1,
        latitude: number(latitude),
        longitude: number(longitude),
        population: number(population),
        level: level,
        parent: number(parent),
    };
}
const number = (text) => (text ? Number(text) : null);
//# sourceMappingURL=places.js.map