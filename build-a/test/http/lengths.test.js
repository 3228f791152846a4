// How long texts may be, field by field, counted in code points.
import { expect } from 'chai';
import { resourceOf, useCatalogue } from './catalogue.js';
// prettier-ignore
const TEXTS = [
    ['zines', 'title', 500],
    ['zines', 'issue_designation', 100],
    ['zines', 'physical_dimensions', 100],
    ['zines', 'number_of_pages', 50],
    ['agents', 'display_name', 500],
    ['agents', 'legal_name', 500],
    ['agents', 'sort_name', 500],
    ['agents', 'phone', 50],
    ['repositories', 'repository_name', 500],
    ['repositories', 'marc_org_code', 20],
    ['repositories', 'city', 255],
    ['repositories', 'region', 255],
    ['repositories', 'postal_code', 20],
    ['repositories', 'phone', 50],
    ['repositories', 'established', 10],
    ['holdings', 'call_number', 255],
    ['holdings', 'location', 500],
    ['holdings', 'barcode', 255],
    ['holdings', 'distro_status', 100],
];
// prettier-ignore
const ELEMENTS = [
    ['zines', 'series_title', 500],
    ['agents', 'alternative_names', 500],
    ['agents', 'pronouns', 50],
    ['agents', 'other_identifiers', 255],
    ['agents', 'active_dates', 100],
    ['agents', 'location', 255],
    ['repositories', 'alternative_names', 500],
];
// prettier-ignore
const LINKS = [
    ['agents', 'website', 255],
    ['repositories', 'website', 255],
    ['holdings', 'digital_url', 255],
];
const UNBOUNDED = [
    ['zines', 'abstract'],
    ['zines', 'table_of_contents'],
    ['agents', 'biography'],
    ['repositories', 'description'],
    ['repositories', 'scope_note'],
    ['holdings', 'condition'],
];
const UNBOUNDED_ELEMENTS = [
    ['zines', 'edition_statement'],
    ['zines', 'alternative_title'],
    ['zines', 'public_notes'],
    ['zines', 'source'],
    ['agents', 'scope_note'],
    ['holdings', 'notes'],
];
const message = (most) => `Ensure this field has no more than ${most} characters.`;
describe('lengths', () => {
    const { service, given, refused } = useCatalogue();
    for (const [name, field, most] of TEXTS)
        for (const character of ['x', '🦄']) {
            it(`${field} of ${name} may have ${most} characters (${character})`, async () => {
                const value = character.repeat(most);
                const made = await given.record(resourceOf(name), { [field]: value });
                expect(made[field]).to.equal(value);
            });
            it(`${field} of ${name} may not have ${most + 1} characters (${character})`, async () => {
                const value = character.repeat(most + 1);
                expect(await refused(name, { [field]: value })).to.deep.equal({ [field]: [message(most)] });
            });
        }
    for (const [name, field, most] of ELEMENTS) {
        it(`an element of ${field} of ${name} may have ${most} characters`, async () => {
            const value = ['x', '🦄'.repeat(most)];
            const made = await given.record(resourceOf(name), { [field]: value });
            expect(made[field]).to.deep.equal(value);
        });
        it(`an element of ${field} of ${name} may not have ${most + 1} characters`, async () => {
            const value = ['x', '🦄'.repeat(most), '🦄'.repeat(most + 1)];
            expect(await refused(name, { [field]: value })).to.deep.equal({
                [field]: [`Item 3: ${message(most)}`],
            });
        });
    }
    for (const [name, field, most] of LINKS) {
        it(`${field} of ${name} may have ${most} characters`, async () => {
            const value = 'https://example.org/'.padEnd(most, 'x');
            const made = await given.record(resourceOf(name), { [field]: value });
            expect(made[field]).to.equal(value);
        });
        it(`${field} of ${name} may not have ${most + 1} characters`, async () => {
            const value = 'https://example.org/'.padEnd(most + 1, 'x');
            expect(await refused(name, { [field]: value })).to.deep.equal({ [field]: [message(most)] });
        });
    }
    for (const name of ['agents', 'repositories']) {
        const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.org`;
        it(`email of ${name} may have 254 characters`, async () => {
            const email = `${'a'.repeat(64)}@${domain}`;
            expect(email).to.have.length(254);
            expect((await given.record(resourceOf(name), { email })).email).to.equal(email);
        });
        it(`email of ${name} may not have 255 characters`, async () => {
            const email = `${'a'.repeat(64)}@${domain.replace('.org', '.info')}`;
            expect(email).to.have.length(255);
            const { email: messages } = await refused(name, { email });
            expect(messages).to.include(message(254));
        });
    }
    it('isil of repositories may not have 51 characters', async () => {
        const { isil } = await refused('repositories', { isil: 'US-'.padEnd(51, 'x') });
        expect(isil).to.include(message(50));
    });
    for (const [name, field] of UNBOUNDED)
        it(`${field} of ${name} may be as long as a body`, async () => {
            const value = 'All work and no play. '.repeat(40_000).trim();
            const made = await given.record(resourceOf(name), { [field]: value });
            expect(made[field]).to.equal(value);
        });
    for (const [name, field] of UNBOUNDED_ELEMENTS)
        it(`an element of ${field} of ${name} may be as long as a body`, async () => {
            const value = ['All work and no play. '.repeat(40_000).trim()];
            const made = await given.record(resourceOf(name), { [field]: value });
            expect(made[field]).to.deep.equal(value);
        });
    it('an array may have a thousand elements', async () => {
        const notes = Array.from({ length: 1000 }, (_, index) => `Note ${index % 700}`);
        expect((await given.holding({ notes })).notes).to.deep.equal(notes);
    });
    it('white space at the ends does not count', async () => {
        const title = 'x'.repeat(500);
        expect((await given.zine({ title: `  ${title}\n` })).title).to.equal(title);
    });
    it('a combining character is counted as it is kept, composed', async () => {
        const { title } = await given.zine({ title: 'e\u0301'.repeat(500) });
        expect(title).to.equal('é'.repeat(500));
    });
    it('takes 1000 elements of a list, and no more', async () => {
        const words = Array.from({ length: 1001 }, (_, index) => `Series ${index}`);
        const { zine_id } = await given.zine({ series_title: words.slice(1) });
        const answer = await service().patch(`/api/zines/${zine_id}/`, { series_title: words });
        expect(answer.status).to.equal(400);
        expect(answer.body).to.deep.equal({
            series_title: ['Ensure this field has no more than 1000 elements.'],
        });
    });
});
//# sourceMappingURL=lengths.test.js.map