import { expect } from 'chai';
import { agent, holding, repository, zine } from '../examples.js';
import { adminSettings, serve, tokenAt, withDirectory } from '../process.js';
const writers = 16;
const rounds = 3;
describe('kill -9 in the middle of a load', function () {
    this.timeout(120_000);
    it('loses nothing acknowledged and tears nothing, cascades included', () => withDirectory(async (directory) => {
        const env = { DATA_DIR: directory, ...adminSettings };
        const states = new Map();
        for (let round = 0; round < rounds; round += 1) {
            const service = await serve(env);
            const send = sender(service.url, await tokenAt(service.url));
            if (round === 0) {
                await send('POST', '/api/agents/', agent('maker'));
                await send('POST', '/api/repositories/', repository('library'));
            }
            const gone = countOf(states, 'gone');
            const load = Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(send, states, `${round}-${writer}`)));
            // In the middle of the load: after some removals, and a moment more or less.
            while (countOf(states, 'gone') < gone + writers / 2)
                await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
            expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL');
            await load;
        }
        const service = await serve(env);
        expect(countOf(states, 'created')).to.be.greaterThan(writers);
        for (const [id, state] of states)
            await check(service.url, id, state);
        await service.end('SIGTERM');
    }));
});
const countOf = (states, wanted) => [...states.values()].filter((state) => state === wanted).length;
const sender = (url, token) => async (method, path, body) => {
    const response = await fetch(url + path, {
        method,
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(response.status, await response.text()).to.be.within(200, 204);
};
/** Creates zines, each with two holdings, and removes every fourth with all that goes with it, until it is cut off. */
async function write(send, states, writer) {
    for (let number = 0;; number += 1) {
        const id = `${writer}-${number}`;
        states.set(id, 'asked');
        await send('POST', '/api/zines/', zine(id));
        states.set(id, 'created');
        if (number % 4 !== 3)
            continue;
        for (const copy of copiesOf(id))
            await send('POST', '/api/holdings/', holding(copy, { zine_id: id }));
        states.set(id, 'asked to go');
        await send('DELETE', `/api/zines/${id}/`);
        states.set(id, 'gone');
    }
}
const copiesOf = (id) => [`${id}-a`, `${id}-b`];
async function check(url, id, state) {
    const response = await fetch(`${url}/api/zines/${id}/`);
    const there = response.status === 200;
    if (state === 'created')
        expect(there, `${id} was created`).to.equal(true);
    if (state === 'gone')
        expect(there, `${id} was removed`).to.equal(false);
    // Whole or not at all: a record that is there has all its fields.
    if (there)
        expect(await response.json()).to.deep.include({ title: `Zine ${id}`, language: ['en'] });
    if (state !== 'asked to go' && state !== 'gone')
        return;
    const copies = await fetch(`${url}/api/holdings/?zine_id=${id}`);
    const { count } = (await copies.json());
    expect(count, `copies of ${id}`).to.equal(there ? 2 : 0);
}
//# sourceMappingURL=kill.test.js.map