// Zines: the shape in which they are read, the agents and codes they show, and what a deletion
// takes with it.
import { expect } from 'chai';
import { agent, fullZine, zine } from '../examples.js';
import { BASE_URL } from '../service.js';
import { asWritten, pathOf, unique, useCatalogue } from './catalogue.js';
const FIELDS = [
    'zine_id',
    'title',
    'series_title',
    'issue_designation',
    'edition_statement',
    'alternative_title',
    'creator',
    'contributor',
    'subject',
    'genre',
    'abstract',
    'table_of_contents',
    'public_notes',
    'publisher',
    'date',
    'physical_dimensions',
    'number_of_pages',
    'format',
    'binding_features',
    'language',
    'place_of_publication',
    'coverage',
    'source',
    'relation',
    'rights',
    'identifier',
    'created_at',
    'updated_at',
];
/** Arrays of text, kept as they are sent. */
const PLAIN = [
    'series_title',
    'edition_statement',
    'alternative_title',
    'public_notes',
    'date',
    'binding_features',
    'place_of_publication',
    'coverage',
    'source',
    'relation',
    'identifier',
];
/** Arrays of references and codes, in which a value stands once: three values of each. */
const SETS = new Map([
    ['creator', ['maker', 'helper', 'press']],
    ['contributor', ['maker', 'helper', 'press']],
    ['publisher', ['maker', 'helper', 'press']],
    ['subject', ['punk', 'art', 'diy']],
    ['genre', ['perzine', 'art-zine', 'fanzine']],
    ['format', ['mini', 'a5', 'digest']],
    ['language', ['pl', 'en', 'de']],
    ['rights', ['unknown', 'cc0', 'copyleft']],
]);
describe('zines', () => {
    const { service, given } = useCatalogue();
    const read = async (id) => (await service().get(pathOf('zines', id))).body;
    it('have exactly these fields when every one is set', async () => {
        const id = unique('zine');
        await service().post('/api/zines/', fullZine(id));
        expect(await read(id)).to.have.all.keys(FIELDS);
    });
    it('have exactly these fields when only the required ones are set', async () => {
        const { zine_id } = await given.zine();
        expect(await read(zine_id)).to.have.all.keys(FIELDS);
    });
    it('show a creator with the fields of its page', async () => {
        const { agent_id } = await given.agent({
            kind: 'Collective',
            display_name: 'Nine Lives',
            pronouns: ['they', 'she'],
            biography: 'Cats.',
        });
        const { zine_id } = await given.zine({ creator: [agent_id] });
        expect((await read(zine_id)).creator).to.deep.equal([
            {
                agent_id,
                display_name: 'Nine Lives',
                kind: 'Collective',
                pronouns: ['they', 'she'],
                biography: 'Cats.',
            },
        ]);
    });
    for (const field of ['contributor', 'publisher'])
        it(`show a ${field} as an object like a creator`, async () => {
            const { agent_id } = await given.agent({ kind: 'Organization', display_name: 'Nine Lives' });
            const { zine_id } = await given.zine({ [field]: [agent_id] });
            const [shown] = (await read(zine_id))[field];
            expect(shown).to.include({ agent_id, display_name: 'Nine Lives', kind: 'Organization' });
        });
    it('show a subject with its code, label and uri', async () => {
        const { zine_id } = await given.zine({ subject: ['punk'] });
        const [subject] = (await read(zine_id)).subject;
        expect(subject).to.include({ code: 'punk', uri: `${BASE_URL}/vocabularies/subjects#punk` });
        expect(subject.label).to.match(/punk/i);
        expect(['code', 'label', 'uri', 'definition']).to.include.members(Object.keys(subject));
    });
    it('show a genre with its code, label and uri', async () => {
        const { zine_id } = await given.zine({ genre: ['fanzine'] });
        const [genre] = (await read(zine_id)).genre;
        expect(genre).to.include({ code: 'fanzine', uri: `${BASE_URL}/vocabularies/genres#fanzine` });
        expect(genre.label).to.match(/fanzine/i);
    });
    for (const field of PLAIN)
        it(`keep the order and the repeats of ${field}`, async () => {
            const sent = ['c', 'a', 'b', 'a', 'c', 'a', 'B'];
            const { zine_id } = await given.zine({ [field]: sent });
            expect((await read(zine_id))[field]).to.deep.equal(sent);
        });
    for (const [field, [first, second, third]] of SETS)
        for (const [sent, kept] of [
            [
                [first, second, third],
                [first, second, third],
            ],
            [
                [third, second, first],
                [third, second, first],
            ],
            [
                [second, first, second, third, first, second],
                [second, first, third],
            ],
        ])
            it(`keep ${JSON.stringify(sent)} in ${field} as ${JSON.stringify(kept)}`, async () => {
                const { zine_id } = await given.zine({ [field]: sent });
                expect(asWritten(await read(zine_id))[field]).to.deep.equal(kept);
            });
    for (const field of ['genre', 'date', 'language', 'rights'])
        it(`may have no ${field} at all`, async () => {
            const { zine_id } = await given.zine({ [field]: [] });
            expect((await read(zine_id))[field]).to.deep.equal([]);
        });
    for (const date of ['1994', '1994-05', '1994-05-17', 'spring 1994', 'circa 1994', '1994-1996'])
        it(`may be of ${date}`, async () => {
            const { zine_id } = await given.zine({ date: [date] });
            expect((await read(zine_id)).date).to.deep.equal([date]);
        });
    it('show the new name of an agent that was renamed', async () => {
        const { agent_id } = await given.agent({ display_name: 'Before' });
        const { zine_id } = await given.zine({ creator: [agent_id], publisher: [agent_id] });
        await service().patch(pathOf('agents', agent_id), { display_name: 'After' });
        const { creator, publisher } = await read(zine_id);
        expect([creator[0].display_name, publisher[0].display_name]).to.deep.equal(['After', 'After']);
    });
    it('show the new name of an agent in lists too', async () => {
        const { agent_id } = await given.agent({ display_name: 'Before' });
        await given.zine({ creator: [agent_id] });
        await service().get(`/api/zines/?creator=${agent_id}`);
        await service().patch(pathOf('agents', agent_id), { display_name: 'After' });
        const { body } = await service().get(`/api/zines/?creator=${agent_id}`);
        expect(body.results[0].creator[0].display_name).to.equal('After');
    });
    describe('of a deleted creator', () => {
        /** A zine by a deleted agent and by `maker`. */
        async function orphan() {
            const { agent_id } = await given.agent();
            const { zine_id } = await given.zine({ creator: [agent_id, 'maker'] });
            const deleted = await service().delete(pathOf('agents', agent_id));
            expect(deleted.status).to.equal(204);
            return { agent_id, zine_id };
        }
        it('remain', async () => {
            const { zine_id } = await orphan();
            expect((await read(zine_id)).zine_id).to.equal(zine_id);
        });
        it('show its identifier, without name or kind, where it stood', async () => {
            const { agent_id, zine_id } = await orphan();
            const [first, second] = (await read(zine_id)).creator;
            expect(first).to.include({ agent_id, display_name: '', kind: '' });
            expect(second.agent_id).to.equal('maker');
        });
        it('show it so in lists', async () => {
            const { agent_id } = await orphan();
            const { body } = await service().get(`/api/zines/?creator=${agent_id}`);
            expect(body.results[0].creator[0]).to.deep.equal({ agent_id, display_name: '', kind: '' });
        });
        it('can be changed in other fields', async () => {
            const { agent_id, zine_id } = await orphan();
            const changed = await service().patch(pathOf('zines', zine_id), { title: 'Still here' });
            expect(changed.status, changed.text).to.equal(200);
            expect(asWritten(changed.body)).to.include({ title: 'Still here' });
            expect(changed.body.creator[0].agent_id).to.equal(agent_id);
        });
        it('show its name again when the identifier is used again', async () => {
            const { agent_id, zine_id } = await orphan();
            await service().post('/api/agents/', agent(agent_id, { display_name: 'Back again' }));
            expect((await read(zine_id)).creator[0].display_name).to.equal('Back again');
        });
        it('do not let another zine name it', async () => {
            const { agent_id } = await orphan();
            const sent = zine(unique('zine'), { creator: ['maker', agent_id] });
            const answer = await service().post('/api/zines/', sent);
            expect(answer.status).to.equal(400);
            expect(answer.body).to.deep.equal({ creator: [`Agent '${agent_id}' does not exist`] });
        });
    });
    describe('deleted', () => {
        it('take their holdings with them, and no others', async () => {
            const { zine_id } = await given.zine();
            const held = [await given.holding({ zine_id }), await given.holding({ zine_id })];
            const other = await given.holding();
            await service().delete(pathOf('zines', zine_id));
            const paths = [...held, other].map((copy) => pathOf('holdings', copy.holding_id));
            const answers = await Promise.all(paths.map((path) => service().get(path)));
            expect(answers.map((answer) => answer.status)).to.deep.equal([404, 404, 200]);
        });
        it('leave no holding of theirs in a list', async () => {
            const { zine_id } = await given.zine();
            const { repo_id } = await given.repository();
            await given.holding({ zine_id, repository_id: repo_id });
            await service().delete(pathOf('zines', zine_id));
            const { body } = await service().get(`/api/holdings/?repository_id=${repo_id}`);
            expect(body).to.deep.equal({ count: 0, next: null, previous: null, results: [] });
        });
        it('leave their agents', async () => {
            const { agent_id } = await given.agent();
            const { zine_id } = await given.zine({ creator: [agent_id], publisher: [agent_id] });
            await service().delete(pathOf('zines', zine_id));
            expect((await service().get(pathOf('agents', agent_id))).status).to.equal(200);
        });
    });
});
//# sourceMappingURL=zines.test.js.map