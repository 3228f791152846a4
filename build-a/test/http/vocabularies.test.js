// Reference lists: the eight vocabularies, and the terms that an institution adds to them.
// The places, countries and languages are in geography.test.ts.
import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agent, zine } from '../examples.js';
import { BASE_URL, startService, useService } from '../service.js';
const words = (text) => text.trim().split(/\s+/);
/** Codes that each vocabulary must have. */
const CODES = {
    subjects: words(`feminism personal-narrative daily-life zine-making diy how-to food humor
    parenting race punk critical-theory activism music politics queer trans mental-health
    disability art comics poetry travel anarchism`),
    genres: words(`perzine fanzine art-zine comic-zine political-zine instructional resource-guide
    essay-zine literary-zine compilation-zine newsletter`),
    'agent-kinds': words('Person Collective Organization'),
    'agent-roles': words(`creator editor illustrator publisher distributor contributor photographer
    translator printer`),
    'repository-kinds': words(`academic-library public-library special-library archive
    community-archive distro personal-collection museum other`),
    'access-status': words('circulating reading-room-only restricted digital-only personal-use'),
    'rights-status': words(`all-rights-reserved anti-copyright copyleft freely-duplicatable cc0
    cc-by-4.0 cc-by-sa-4.0 cc-by-nc-4.0 cc-by-nc-sa-4.0 unknown`),
    formats: words(`half-letter quarter-letter mini one-page-folded digest full-size a5 a6 digital`),
};
/** Vocabularies whose codes the specification names completely. */
const COMPLETE = ['agent-kinds', 'repository-kinds', 'access-status'];
describe('vocabularies', () => {
    const service = useService();
    const listed = async (name, query = '') => (await service().get(`/api/vocabularies/${name}/${query}`)).body;
    for (const [name, codes] of Object.entries(CODES))
        describe(name, () => {
            it('are a plain array', async () => {
                const { status, body } = await service().get(`/api/vocabularies/${name}/`);
                expect(status).to.equal(200);
                expect(body).to.be.an('array');
            });
            it('are whole on their only page', async () => {
                const whole = await listed(name);
                expect(await listed(name, '?page_size=1&page=2')).to.deep.equal(whole);
            });
            it('have the codes that they must have', async () => {
                const found = (await listed(name)).map((entry) => entry.code);
                if (COMPLETE.includes(name))
                    expect(found).to.have.members(codes);
                else
                    expect(found).to.include.members(codes);
            });
            it('have no code twice', async () => {
                const found = (await listed(name)).map((entry) => entry.code);
                expect(new Set(found).size).to.equal(found.length);
            });
            it('are ordered by label', async () => {
                const labels = (await listed(name)).map((entry) => entry.label);
                expect(labels).to.deep.equal(labels.toSorted(inEnglish));
            });
            it('have entries of code, label and uri, and perhaps a definition', async () => {
                for (const entry of await listed(name)) {
                    const { definition, ...rest } = entry;
                    expect(rest).to.have.all.keys('code', 'label', 'uri');
                    for (const text of Object.values(rest))
                        expect(text).to.be.a('string').and.not.be.empty;
                    if ('definition' in entry)
                        expect(definition).to.be.a('string').and.not.be.empty;
                }
            });
            it('have the uri of their code in this catalogue', async () => {
                for (const { code, uri } of await listed(name))
                    expect(uri).to.equal(`${BASE_URL}/vocabularies/${name}#${code}`);
            });
            it('show each entry on a page of its own', async () => {
                for (const entry of (await listed(name)).slice(0, 20))
                    expect(await listed(name, `${encodeURIComponent(entry.code)}/`)).to.deep.equal(entry);
            });
            for (const code of ['none', '__proto__', 'constructor', (codes[0] ?? '').toUpperCase()])
                it(`have no page for the code ${code}`, async () => {
                    const { status, body } = await service().get(`/api/vocabularies/${name}/${code}/`);
                    expect(status).to.equal(404);
                    expect(body).to.deep.equal({ detail: 'Not found.' });
                });
            it('can be searched by code', async () => {
                const [code = ''] = codes;
                const found = (await listed(name, `?search=${code}`)).map((entry) => entry.code);
                expect(found).to.include(code);
                expect(found.length).to.be.below((await listed(name)).length);
            });
            it('can be searched by label, in any case', async () => {
                const [first] = await listed(name);
                for (const label of [first.label.toUpperCase(), first.label.toLowerCase()])
                    expect(await listed(name, `?search=${encodeURIComponent(label)}`)).to.deep.include(first);
            });
            it('find nothing by a word that is nowhere', async () => {
                expect(await listed(name, '?search=xyzzyx')).to.deep.equal([]);
            });
        });
    it('have at least 200 subjects', async () => {
        expect((await listed('subjects')).length).to.be.at.least(200);
    });
    it('define at least nine subjects in ten', async () => {
        const subjects = await listed('subjects');
        const defined = subjects.filter((entry) => entry.definition);
        expect(defined.length / subjects.length).to.be.at.least(0.9);
    });
    for (const path of ['/api/vocabularies/subjects/', '/api/vocabularies/subjects/punk/'])
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
            it(`cannot be written: ${method} ${path}`, async () => {
                expect((await service().ask(method, path)).status).to.equal(405);
            });
});
describe('local terms', () => {
    let dataDir = '';
    beforeEach(async () => {
        dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-local-'));
    });
    afterEach(() => rm(dataDir, { recursive: true, force: true }));
    const TERM = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <#basement-shows> a skos:Concept ;
      skos:notation "basement-shows" ;
      skos:prefLabel "Basement shows"@en ;
      skos:definition "Concerts below ground."@en .`;
    /** Puts a file into the vocabularies of the data directory. */
    async function local(file, text) {
        const path = join(dataDir, 'vocabularies', file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
    }
    async function withService(use) {
        const service = await startService({ DATA_DIR: dataDir });
        try {
            await use(service);
        }
        finally {
            await service.close();
        }
    }
    it('are entries like the others', async () => {
        await local('subjects.ttl', TERM);
        await withService(async (service) => {
            const { body } = await service.get('/api/vocabularies/subjects/basement-shows/');
            expect(body).to.deep.equal({
                code: 'basement-shows',
                label: 'Basement shows',
                uri: `${BASE_URL}/vocabularies/subjects#basement-shows`,
                definition: 'Concerts below ground.',
            });
        });
    });
    it('stand among the others', async () => {
        await local('subjects.ttl', TERM);
        await withService(async (service) => {
            const { body } = await service.get('/api/vocabularies/subjects/');
            const codes = body.map((entry) => entry.code);
            expect(codes).to.include.members(['basement-shows', 'punk']);
        });
    });
    it('can be given to a zine, which shows them', async () => {
        await local('subjects.ttl', TERM);
        await withService(async (service) => {
            await service.post('/api/agents/', agent('maker'));
            const { body } = await service.post('/api/zines/', zine('z', { subject: ['basement-shows'] }));
            expect(body.subject[0]).to.include({ code: 'basement-shows', label: 'Basement shows' });
        });
    });
    it('of genres can be given to a zine', async () => {
        await local('genres.ttl', TERM);
        await withService(async (service) => {
            await service.post('/api/agents/', agent('maker'));
            const { body } = await service.post('/api/zines/', zine('z', { genre: ['basement-shows'] }));
            expect(body.genre[0]).to.include({ code: 'basement-shows', label: 'Basement shows' });
        });
    });
    for (const [claim, text] of [
        ['is no Turtle', 'Basement shows, and other subjects.'],
        ['breaks off', TERM.slice(0, -10)],
        ['has a term without a label', TERM.replace(/skos:prefLabel [^;]*;/, '')],
    ])
        it(`a file that ${claim} refuses the start and is named`, async () => {
            await local('subjects.ttl', text);
            const failure = await startService({ DATA_DIR: dataDir }).then((service) => service.close(), (error) => error);
            expect(failure).to.be.instanceOf(Error).with.property('message').that.includes('subjects.ttl');
        });
});
const inEnglish = new Intl.Collator('en').compare;
//# sourceMappingURL=vocabularies.test.js.map