// Records in the hand, without a service: the examples and the sample collection as sheets, at a time
// that stays the same.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addressesUnder, resourceNames } from '../../src/model/addresses.js';
import { agent, fullAgent, fullHolding, fullRepository, fullZine, holding, repository, zine, } from '../examples.js';
import { openModel } from '../unit/model.js';
export const BASE = 'https://zines.example';
export const addresses = addressesUnder(BASE);
export const { declared, resources, lens } = await openModel(addresses);
const times = {
    created_at: '2026-11-20T09:15:02.100000Z',
    updated_at: '2026-11-21T10:00:00.000000Z',
};
/** Written records as cards. */
export const cardsOf = (records) => Object.fromEntries(resourceNames.map((name) => [name, records[name].map((record) => cardOf(name, record))]));
/** A written record as a card, its defaults filled in. */
export const cardOf = (name, record) => {
    const defaults = resources[name].written.flatMap((field) => field.byDefault === undefined ? [] : [[field.name, field.byDefault]]);
    return { ...Object.fromEntries(defaults), ...record, ...times };
};
/** The sheet of each record of a resource, in order. */
export function sheetsOf(name, cards) {
    const known = new Map(resourceNames.flatMap((target) => cards[target].map((card) => [
        keyOf({ target, id: String(card[resources[target].id.name]) }),
        card,
    ])));
    return cards[name].map((card) => ({
        resource: resources[name],
        card,
        cards: (reference) => known.get(keyOf(reference)),
    }));
}
const keyOf = ({ target, id }) => `${target}/${id}`;
/** The examples: of each resource a record with every field set, and one with no more than it must have. */
export const examples = cardsOf({
    zines: [fullZine('doris/24'), zine('plain', { creator: ['maker', 'gone'] })],
    agents: [
        fullAgent('press'),
        agent('maker', {
            public: false,
            pronouns: ['she/her'],
            // What a private agent's card never has, since the catalogue reads the public graph alone.
            legal_name: 'Hidden Name',
            email: 'hidden@example.org',
            phone: '+1 555 0100',
        }),
        agent('helper'),
    ],
    repositories: [fullRepository('second-library'), repository('library')],
    holdings: [
        fullHolding('copy', { zine_id: 'doris/24' }),
        holding('plain-copy', { zine_id: 'plain', repository_id: 'library' }),
    ],
});
/** What is hard to say in one syntax or another. */
export const oddities = cardsOf({
    zines: [
        zine('a"b\\c <d> &é', {
            title: 'A "quoted" \\ backslash, a\ttab, <b>&amp;</b> ]]> and 🦊',
            abstract: '"""three quotes"""\nand a line that ends in a quote"',
            table_of_contents: 'carriage\rreturn\r\nand line feed',
            relation: ['https://example.org/a', 'in words', 'https://example.org/not an iri'],
            source: ['https://example.org/b', 'https://example.org/c'],
            identifier: ['@id', '_:b0', 'urn:x:y', 'zines:1'],
            subject: ['punk', 'no-longer-there'],
            format: ['digital', 'a:b', 'format', '@vocab', 'no longer there'],
            rights: ['unknown', 'title'],
            language: ['en', 'xx'],
        }),
    ],
    agents: [
        agent('maker', {
            roles: ['creator', 'editor', 'roles'],
            website: 'https://example.org/a|b',
            social_media: ['https://example.org/ok', 'https://example.org/a|b'],
            other_identifiers: ['https://example.org/me', 'isni:1'],
            wikidata: 'Q42',
        }),
    ],
    repositories: [repository('library', { website: 'https://example.org/{x}', scope_note: 'One.' })],
    holdings: [
        holding('copy', { zine_id: 'gone', repository_id: 'gone too', location: 'Room 1' }),
        holding('copy-2', { copy_count: null, digital_available: true }),
    ],
});
/** The collection that the service ships with for a first look. */
export async function readSample() {
    const files = await Promise.all(resourceNames.map(async (name) => {
        const text = await readFile(join(resolve('sample'), `${name}.jsonl`), 'utf8');
        return [
            name,
            text
                .trim()
                .split('\n')
                .map((line) => JSON.parse(line)),
        ];
    }));
    return cardsOf(Object.fromEntries(files));
}
//# sourceMappingURL=collection.js.map