// ETag, If-None-Match and If-Match.
import { expect } from 'chai';
import { listOf, pathOf, resourceOf, resources, useCatalogue } from './catalogue.js';
const STRONG = /^"[^"]+"$/;
describe('conditional requests', () => {
    const { service, given } = useCatalogue();
    const tagOf = async (path, headers = {}) => (await service().get(path, { headers })).headers.get('etag') ?? '';
    for (const { name, key, text } of resources)
        describe(`of ${name}`, () => {
            const made = async () => {
                const id = (await given.record(resourceOf(name)))[key];
                return pathOf(name, id);
            };
            it('a record has a strong ETag', async () => {
                expect(await tagOf(await made())).to.match(STRONG);
            });
            it('a list has a strong ETag', async () => {
                expect(await tagOf(listOf(name))).to.match(STRONG);
            });
            it('an ETag stays while nothing is written', async () => {
                const path = await made();
                expect(await tagOf(path)).to.equal(await tagOf(path));
                expect(await tagOf(listOf(name))).to.equal(await tagOf(listOf(name)));
            });
            it('the ETag of a record changes with it', async () => {
                const path = await made();
                const before = await tagOf(path);
                await service().patch(path, { [text]: 'Changed.' });
                expect(await tagOf(path)).not.to.equal(before);
            });
            it('the ETag of a list changes with a new record', async () => {
                const before = await tagOf(listOf(name));
                await made();
                expect(await tagOf(listOf(name))).not.to.equal(before);
            });
            it('a record that the client has is a 304 without a body', async () => {
                const path = await made();
                const tag = await tagOf(path);
                const answer = await service().get(path, { headers: { 'if-none-match': tag } });
                expect([answer.status, answer.text]).to.deep.equal([304, '']);
                expect(answer.headers.get('etag')).to.equal(tag);
            });
            it('a list that the client has is a 304', async () => {
                const tag = await tagOf(listOf(name));
                const headers = { 'if-none-match': tag };
                expect((await service().get(listOf(name), { headers })).status).to.equal(304);
            });
            it('a record that has changed is a 200', async () => {
                const path = await made();
                const headers = { 'if-none-match': await tagOf(path) };
                await service().patch(path, { [text]: 'Changed.' });
                const answer = await service().get(path, { headers });
                expect([answer.status, answer.body[text]]).to.deep.equal([200, 'Changed.']);
            });
            for (const method of ['PUT', 'PATCH', 'DELETE']) {
                /** A request that writes over the record, on a condition. */
                const write = async (path, condition) => {
                    const { body: now } = await service().get(path);
                    const sent = resourceOf(name).minimal(now[key], { [text]: 'Overwritten.' });
                    const body = method === 'DELETE' ? undefined : sent;
                    return service().ask(method, path, { body, headers: { 'if-match': condition } });
                };
                it(`a ${method} on a condition that holds is accepted`, async () => {
                    const path = await made();
                    const answer = await write(path, await tagOf(path));
                    expect(answer.status, answer.text).to.equal(method === 'DELETE' ? 204 : 200);
                });
                it(`a ${method} on a condition that no longer holds is a 412`, async () => {
                    const path = await made();
                    const tag = await tagOf(path);
                    await service().patch(path, { [text]: 'Changed.' });
                    const answer = await write(path, tag);
                    expect(answer.status).to.equal(412);
                    expect(answer.body).to.have.all.keys('detail');
                });
                it(`a ${method} that was a 412 writes nothing`, async () => {
                    const path = await made();
                    const before = await service().get(path);
                    await write(path, '"another"');
                    expect((await service().get(path)).body).to.deep.equal(before.body);
                });
            }
        });
    it('an ETag is another for another page', async () => {
        const first = await tagOf('/api/zines/?page_size=1');
        expect(await tagOf('/api/zines/?page_size=1&page=2')).not.to.equal(first);
    });
    it('the ETag of a zine changes with the name of an agent that it shows', async () => {
        const { agent_id } = await given.agent();
        const { zine_id } = await given.zine({ creator: [agent_id] });
        const before = await tagOf(pathOf('zines', zine_id));
        await service().patch(pathOf('agents', agent_id), { display_name: 'After' });
        expect(await tagOf(pathOf('zines', zine_id))).not.to.equal(before);
    });
    it('the ETag of a list of holdings changes with the title of a zine that it shows', async () => {
        const { zine_id } = await given.zine();
        await given.holding({ zine_id });
        const path = `/api/holdings/?zine_id=${zine_id}`;
        const before = await tagOf(path);
        await service().patch(pathOf('zines', zine_id), { title: 'After' });
        expect(await tagOf(path)).not.to.equal(before);
    });
    for (const [claim, condition] of [
        ['one of several', (tag) => `"a", ${tag}, "b"`],
        ['a weak form of it', (tag) => `W/${tag}`],
        ['any', () => '*'],
    ])
        it(`If-None-Match with ${claim} is a 304`, async () => {
            const headers = { 'if-none-match': condition(await tagOf('/api/zines/zine/')) };
            expect((await service().get('/api/zines/zine/', { headers })).status).to.equal(304);
        });
    for (const condition of ['"other"', 'W/"other"', '""'])
        it(`If-None-Match with ${condition} is a 200`, async () => {
            const headers = { 'if-none-match': condition };
            expect((await service().get('/api/zines/zine/', { headers })).status).to.equal(200);
        });
    it('If-None-Match holds for HEAD too', async () => {
        const headers = { 'if-none-match': await tagOf('/api/zines/zine/') };
        expect((await service().ask('HEAD', '/api/zines/zine/', { headers })).status).to.equal(304);
    });
    for (const [claim, condition] of [
        ['one of several', (tag) => `"a", ${tag}`],
        ['any', () => '*'],
    ])
        it(`If-Match with ${claim} holds`, async () => {
            const path = pathOf('zines', (await given.zine()).zine_id);
            const headers = { 'if-match': condition(await tagOf(path)) };
            expect((await service().patch(path, { abstract: 'x' }, { headers })).status).to.equal(200);
        });
    it('If-Match never holds by a weak tag', async () => {
        const path = pathOf('zines', (await given.zine()).zine_id);
        const headers = { 'if-match': `W/${await tagOf(path)}` };
        expect((await service().patch(path, { abstract: 'x' }, { headers })).status).to.equal(412);
    });
    it('If-Match of a record that does not exist is its 404', async () => {
        const headers = { 'if-match': '"x"' };
        expect((await service().delete('/api/zines/none/', { headers })).status).to.equal(404);
    });
    it('of two writes on the same condition at once, one is accepted', async () => {
        const path = pathOf('zines', (await given.zine()).zine_id);
        const headers = { 'if-match': await tagOf(path) };
        const answers = await Promise.all(['a', 'b'].map((abstract) => service().patch(path, { abstract }, { headers })));
        expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 412]);
    });
});
//# sourceMappingURL=conditional.test.js.map