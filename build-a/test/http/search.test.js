// ?search=: which fields it looks in, how terms combine, and that no character is more than itself.
import { expect } from 'chai';
import { listOf, pathOf, resourceOf, unique, useCatalogue } from './catalogue.js';
const FIELDS = [
    [
        'zines',
        ['title', 'abstract', 'table_of_contents'],
        [
            'alternative_title',
            'public_notes',
            'zine_id',
            'number_of_pages',
            'date',
            'place_of_publication',
        ],
    ],
    [
        'agents',
        ['display_name', 'legal_name', 'biography', 'alternative_names'],
        ['agent_id', 'sort_name', 'scope_note', 'location'],
    ],
    [
        'repositories',
        ['repository_name', 'description', 'alternative_names'],
        ['repo_id', 'scope_note', 'city', 'region'],
    ],
];
/** The text of a zine, a search that finds it, and one that does not. */
// prettier-ignore
const TERMS = [
    ['The Quick Brown Fox', ['quick', 'QUICK', 'brown quick', 'quick,fox', ' quick  brown ', 'fox\tquick', 'fox\nquick', ', quick,'], ['quick cat', 'quickbrown', 'quick_brown']],
    ['unbelievable', ['believ', 'unbelievable', 'ABLE', 'u'], ['beleiv', 'unbelievables']],
    ['ÉCOLE Ænima ŁÓDŹ', ['école', 'École', 'ænima', 'łódź', 'ódź'], ['ecole', 'lodz']],
    ['журнал ЖУРНАЛ', ['журнал', 'ЖУРНАЛ', 'Журн'], ['журналы']],
    ['雑誌を作る', ['雑誌', '作る', '誌を作'], ['雑作']],
    ['🦄🏳️‍🌈 pride', ['🦄', 'pride 🦄'], ['🦊']],
    ['100% wool', ['100%', '%', '100% wool'], ['100%%', '1%0']],
    ['a_b a-b a.b', ['a_b', 'a-b', 'a.b', '_'], ['a%b', 'a*b', 'axb']],
    ['what? why! (maybe)', ['what?', '?', '(maybe)', ')', '!'], ['wha?', '(may)']],
    ['[x] {y} |z| ^ $1', ['[x]', '{y}', '|z|', '^', '$1', '$'], ['[xyz]', '^x', 'x$']],
    ['C++ & a*b', ['c++', '+', '&', 'a*b', '*'], ['c+++', 'a.*b', 'C.+']],
    [`it's "quoted"`, [`it's`, `"quoted"`, `'`, `"`, `'s`], [`"it's"`, `''`]],
    ['back\\slash \\n', ['\\', 'back\\slash', '\\n'], ['back/slash', '\\\\s']],
    ['<b>bold</b> ?s a:b #', ['<b>', '</b>', '?s', 'a:b', '#'], ['<i>', '?o']],
    ['} UNION { ; . ^^', ['}', '} union', '{', ';', '^^'], ['}}']],
    ['AND OR NOT near~2', ['and', 'OR', 'not', 'near~2', 'AND not'], ['nand', '-and']],
    ['__proto__ constructor', ['__proto__', 'constructor'], ['prototype']],
];
describe('search', () => {
    const { service, given } = useCatalogue();
    const found = async (name, search) => {
        const path = `${listOf(name)}?page_size=100&search=${encodeURIComponent(search)}`;
        const { status, body } = await service().get(path);
        expect(status).to.equal(200);
        const { key } = resourceOf(name);
        return body.results.map((record) => record[key]);
    };
    for (const [name, searched, not] of FIELDS) {
        const resource = resourceOf(name);
        const { key, full } = resource;
        /** A value of the field that holds the word: text, or an array of it. */
        const holding = (field, word) => Array.isArray(full('any')[field]) ? ['other', `On ${word}s`] : `On ${word}s`;
        for (const field of searched)
            it(`of ${name} looks in ${field}`, async () => {
                const word = unique('needle');
                const made = await given.record(resource, { [field]: holding(field, word) });
                await given.record(resource);
                expect(await found(name, word)).to.deep.equal([made[key]]);
            });
        for (const field of not)
            it(`of ${name} does not look in ${field}`, async () => {
                const word = unique('n');
                await service().post(listOf(name), {
                    ...resource.full(unique(key)),
                    [field]: holding(field, word),
                });
                expect(await found(name, word)).to.deep.equal([]);
            });
        it(`of ${name} needs every term, in any of the fields`, async () => {
            const [one, two] = [unique('one'), unique('two')];
            const [first = '', second = ''] = searched;
            const both = { [first]: holding(first, one), [second]: holding(second, two) };
            const made = await given.record(resource, both);
            await given.record(resource, { [first]: holding(first, one) });
            await given.record(resource, { [second]: holding(second, two) });
            expect(await found(name, `${two} ${one}`)).to.deep.equal([made[key]]);
        });
    }
    for (const [text, finds, not] of TERMS) {
        const word = unique('term');
        let zine_id = '';
        describe(`in “${text}”`, () => {
            before(async () => {
                ;
                ({ zine_id } = await given.zine({ title: word, abstract: text }));
                await given.zine({ title: word, abstract: 'Nothing to see' });
            });
            for (const terms of finds)
                it(`finds ${JSON.stringify(terms)}`, async () => {
                    expect(await found('zines', `${word} ${terms}`)).to.include(zine_id);
                });
            for (const terms of not)
                it(`does not find ${JSON.stringify(terms)}`, async () => {
                    expect(await found('zines', `${word} ${terms}`)).not.to.include(zine_id);
                });
        });
    }
    it('finds one record alone by what it alone has', async () => {
        const word = unique('alone');
        const { zine_id } = await given.zine({ title: word, abstract: 'x.*y' });
        await given.zine({ title: word, abstract: 'xzy' });
        expect(await found('zines', `${word} x.*y`)).to.deep.equal([zine_id]);
    });
    for (const space of ['+', '%20', '%09', '%0A', ',', '%2C', '%20%20', '%C2%A0', '%E3%80%80'])
        it(`takes ${space} in a URL for the space between terms`, async () => {
            const [one, two] = [unique('one'), unique('two')];
            await given.zine({ title: `${two} and ${one}` });
            const { body } = await service().get(`/api/zines/?search=${one}${space}${two}`);
            expect(body.count).to.equal(1);
        });
    for (const nothing of ['', '+', '%20', ',', ',+,'])
        it(`with “${nothing}” is no search`, async () => {
            const { body: every } = await service().get('/api/zines/');
            const { body } = await service().get(`/api/zines/?search=${nothing}`);
            expect(body.count).to.equal(every.count);
        });
    it('takes the last of several search parameters', async () => {
        const [one, two] = [unique('one'), unique('two')];
        await given.zine({ title: one });
        await given.zine({ title: two });
        const { body } = await service().get(`/api/zines/?search=${one}&search=${two}`);
        expect(body.results.map((zine) => zine.title)).to.deep.equal([two]);
    });
    it('looks for a term across no border between fields', async () => {
        const word = unique('border');
        await given.agent({ display_name: `${word}ab`, biography: 'cd' });
        expect(await found('agents', `${word}abcd`)).to.deep.equal([]);
    });
    it('looks for a term across no border between values', async () => {
        const word = unique('border');
        await given.agent({ alternative_names: [`${word}ab`, 'cd'] });
        expect(await found('agents', `${word}abcd`)).to.deep.equal([]);
    });
    it('follows a record that is changed', async () => {
        const [from, to] = [unique('from'), unique('to')];
        const { zine_id } = await given.zine({ title: from });
        const before = [await found('zines', from), await found('zines', to)];
        await service().patch(pathOf('zines', zine_id), { title: to });
        expect([before, [await found('zines', from), await found('zines', to)]]).to.deep.equal([
            [[zine_id], []],
            [[], [zine_id]],
        ]);
    });
    it('no longer finds a record that is deleted', async () => {
        const word = unique('gone');
        const { zine_id } = await given.zine({ title: word });
        await found('zines', word);
        await service().delete(pathOf('zines', zine_id));
        expect(await found('zines', word)).to.deep.equal([]);
    });
    for (const [what, search] of [
        ['5,000 characters', 'x'.repeat(5000)],
        ['500 terms', 'x '.repeat(500)],
        ['NUL', 'a%00b'],
        ['bytes that are no UTF-8', '%FF%FE'],
        ['a broken escape', '%zz'],
    ])
        it(`for ${what} breaks nothing`, async () => {
            const query = search.includes('%') ? search : encodeURIComponent(search);
            const { status } = await service().get(`/api/zines/?search=${query}`);
            expect(status).to.be.oneOf([200, 400, 414]);
        });
    it('does not exist for holdings', async () => {
        const { zine_id } = await given.zine();
        await given.holding({ zine_id, location: 'Room 2' });
        const { body } = await service().get(`/api/holdings/?zine_id=${zine_id}&search=nothing`);
        expect(body.count).to.equal(1);
    });
});
//# sourceMappingURL=search.test.js.map