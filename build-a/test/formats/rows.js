// Sheets to print without a service: fixed cards, so that what is printed can be compared to a file.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { addressesUnder } from '../../src/model/addresses.js';
import { unset } from '../../src/model/facts.js';
import { agent, fullAgent, fullHolding, fullRepository, fullZine, holding, repository, zine, } from '../examples.js';
import { openModel } from '../unit/model.js';
export const addresses = addressesUnder('https://zines.example');
export const { resources, declared, lens } = await openModel(addresses);
/** A card with the fields that are given; every other is unset. */
export function cardOf(name, given) {
    const times = {
        created_at: '2026-11-20T09:15:02.100000Z',
        updated_at: '2026-11-21T10:00:00.000000Z',
    };
    const empty = resources[name].fields.map((field) => [field.name, field.byDefault ?? unset(field)]);
    return { ...Object.fromEntries(empty), ...times, ...given };
}
const known = new Map([
    ['agents/maker', cardOf('agents', agent('maker', { display_name: 'Marge | Toner' }))],
    ['agents/helper', cardOf('agents', agent('helper', { display_name: 'Pip "Quire"' }))],
    ['agents/press', cardOf('agents', agent('press', { display_name: 'Two Staples & Co.' }))],
    ['zines/zine', cardOf('zines', zine('zine'))],
    ['zines/second-zine', cardOf('zines', zine('second-zine', { title: 'Doris, or: <24>' }))],
    ['repositories/library', cardOf('repositories', repository('library'))],
    ['repositories/second-library', cardOf('repositories', repository('second-library'))],
]);
const cards = ({ target, id }) => known.get(`${target}/${id}`);
export const sheetOf = (name, given) => ({
    resource: resources[name],
    card: cardOf(name, given),
    cards,
});
/** A record with every field, and one with no more than it must have, of each resource. */
export const examples = {
    zines: [sheetOf('zines', fullZine('doris/24')), sheetOf('zines', zine('zine'))],
    agents: [sheetOf('agents', fullAgent('tigers')), sheetOf('agents', agent('maker'))],
    repositories: [
        sheetOf('repositories', fullRepository('zinoteka')),
        sheetOf('repositories', repository('library')),
    ],
    holdings: [sheetOf('holdings', fullHolding('copy-1')), sheetOf('holdings', holding('copy-2'))],
};
/** Compares a text to a golden file; with GOLDEN=write, makes it the golden file. */
export async function expectGolden(file, text) {
    const path = resolve('test/formats/golden', file);
    if (process.env.GOLDEN === 'write')
        await writeFile(path, text);
    expect(text).to.equal(await readFile(path, 'utf8'));
}
//# sourceMappingURL=rows.js.map