import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { entryPath, placePath, placesPath } from './links.js';
import { Pager } from './list.js';
import { Page } from './page.js';
import { Formats, Request } from './request.js';
import { Away } from './value.js';
const levels = {
    country: 'Country',
    admin1: 'Region',
    city: 'City',
};
export const PlacesPage = (listed) => {
    const { visit, countries, places, count, page, links, formats, json } = listed;
    return (_jsxs(Page, { visit: visit, title: "Places", styles: ['reference.css'], children: [_jsx("header", { class: "page-head", children: _jsxs("div", { children: [_jsx(Kicker, {}), _jsx("h1", { children: "Places" })] }) }), _jsxs("p", { class: "lead", children: ["Countries, their regions and larger cities, as", ' ', _jsx(Away, { href: "https://www.geonames.org/", children: "GeoNames" }), " knows them."] }), _jsx(Controls, { ...listed }), _jsxs("div", { "data-live": true, children: [_jsxs("p", { class: "count", role: "status", children: [_jsx("strong", { children: count.toLocaleString('en') }), " ", count === 1 ? 'place' : 'places'] }), _jsx("ol", { class: "records", start: (page.number - 1) * page.size + 1, children: places.map((place) => (_jsx("li", { children: _jsx(PlaceLine, { place: place, countries: countries }) }, place.geoname_id))) }), _jsx(Pager, { visit, count, page, links }), _jsx(Formats, { visit: visit, formats: formats }), _jsx(Request, { visit: visit, json: json })] })] }));
};
const Kicker = () => (_jsx("p", { class: "kicker", children: _jsx("a", { href: "/api/geography/", children: "Geography" }) }));
const Controls = ({ visit, countries, search, country, level }) => (_jsxs("form", { class: "controls", method: "get", action: visit.path, role: "search", "data-live-form": true, children: [_jsxs("label", { class: "grow", children: [_jsx("span", { children: "Search places" }), _jsx("input", { type: "search", name: "search", value: search, autocomplete: "off" })] }), _jsxs("label", { children: [_jsx("span", { children: "Country" }), _jsxs("select", { name: "country_code", children: [_jsx("option", { value: "", children: "All countries" }), countries.entries.map(({ code, label }) => (_jsx("option", { value: code, selected: code === country, children: label }, code)))] })] }), _jsxs("label", { children: [_jsx("span", { children: "Level" }), _jsxs("select", { name: "level", children: [_jsx("option", { value: "", children: "All levels" }), Object.entries(levels).map(([value, label]) => (_jsx("option", { value: value, selected: value === level, children: label }, value)))] })] }), _jsx("button", { children: "Search" })] }));
const PlaceLine = ({ place: { geoname_id, name, level, country_code, population }, countries, }) => (_jsxs("article", { class: "summary", children: [_jsx("h2", { children: _jsx("a", { href: placePath(geoname_id), children: name }) }), _jsxs("p", { class: "line", children: [_jsx("span", { children: levels[level] }), level !== 'country' && _jsx("span", { children: countries.find(country_code)?.label ?? country_code }), population !== null && population > 0 && (_jsxs("span", { children: [population.toLocaleString('en'), " people"] }))] })] }));
export const PlacePage = ({ visit, countries, place, above, below, formats, json, }) => {
    const { geoname_id, name, level, country_code, admin1_code, population } = place;
    const country = countries.find(country_code);
    return (_jsx(Page, { visit: visit, title: name, styles: ['reference.css'], children: _jsxs("article", { class: "record", children: [_jsx("header", { class: "page-head", children: _jsxs("div", { children: [_jsx("p", { class: "kicker", children: _jsx("a", { href: placesPath, children: "Places" }) }), _jsx("h1", { children: name })] }) }), _jsxs("div", { class: "with-side right", children: [_jsxs("dl", { class: "fields", children: [_jsxs("div", { children: [_jsx("dt", { children: "Level" }), _jsx("dd", { children: levels[level] })] }), above.length > 0 && (_jsxs("div", { children: [_jsx("dt", { children: "Lies in" }), _jsx("dd", { children: _jsx("ul", { class: "values", children: above.map((one) => (_jsx("li", { children: _jsx("a", { href: placePath(one.geoname_id), children: one.name }) }, one.geoname_id))) }) })] })), _jsxs("div", { children: [_jsx("dt", { children: "Country" }), _jsx("dd", { children: country ? (_jsx("a", { href: entryPath(countries, country.code), children: country.label })) : (country_code) })] }), admin1_code !== '' && (_jsxs("div", { children: [_jsx("dt", { children: "Code of the region" }), _jsx("dd", { children: _jsx("code", { children: admin1_code }) })] })), population !== null && (_jsxs("div", { children: [_jsx("dt", { children: "Population" }), _jsx("dd", { children: population.toLocaleString('en') })] })), _jsx(Coordinates, { place: place }), _jsxs("div", { children: [_jsx("dt", { children: "GeoNames" }), _jsx("dd", { children: _jsx(Away, { href: `https://www.geonames.org/${geoname_id}`, children: String(geoname_id) }) })] })] }), _jsx("aside", { "aria-label": "Formats", children: _jsx(Formats, { visit: visit, formats: formats }) })] }), below.length > 0 && (_jsxs("section", { class: "below", children: [_jsxs("h2", { class: "label", children: [level === 'country' ? 'Regions' : 'Cities', " ", below.length.toLocaleString('en')] }), _jsx("ul", { children: below.map((one) => (_jsx("li", { children: _jsx("a", { href: placePath(one.geoname_id), children: one.name }) }, one.geoname_id))) })] })), _jsx(Request, { visit: visit, json: json })] }) }));
};
// How near the map comes to a place of each level.
const zooms = { country: 5, admin1: 7, city: 11 };
const Coordinates = ({ place: { latitude, longitude, level } }) => {
    if (latitude === null || longitude === null)
        return null;
    const at = `${latitude}/${longitude}`;
    const address = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${zooms[level]}/${at}`;
    return (_jsxs("div", { children: [_jsx("dt", { children: "Coordinates" }), _jsx("dd", { children: _jsx(Away, { href: address, children: `${latitude}, ${longitude} on OpenStreetMap` }) })] }));
};
//# sourceMappingURL=place.js.map