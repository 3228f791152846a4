// Throttling: off unless asked for; then by address for the anonymous, by account for the others.
import { expect } from 'chai';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, useService } from '../service.js';
const DETAIL = /^Request was throttled\. Expected available in (\d+) seconds\.$/;
const expectThrottled = ({ status, headers, body }) => {
    expect(status).to.equal(429);
    expect(body).to.have.all.keys('detail');
    const [, seconds] = DETAIL.exec(body.detail) ?? [];
    expect(headers.get('retry-after'), body.detail).to.equal(seconds);
};
/** A data directory for services that never come as far as making it. */
const NOWHERE = join(tmpdir(), 'zine-catalogue-nowhere');
/** Asks for a list so often, and gives the statuses of the answers. */
async function statuses(service, times, token = null) {
    const answers = [];
    for (let time = 0; time < times; time++)
        answers.push(await service.get('/api/zines/', { token }));
    return answers.map((answer) => answer.status);
}
describe('throttling of the anonymous', () => {
    const service = useService({ THROTTLE_ANON: '3/hour' });
    before(async () => {
        expect(await statuses(service(), 4)).to.deep.equal([200, 200, 200, 429]);
    });
    it('says when to come back', async () => {
        expectThrottled(await service().get('/api/zines/'));
    });
    it('says so within the period', async () => {
        const { headers } = await service().get('/api/zines/');
        expect(Number(headers.get('retry-after'))).to.be.within(1, 3600);
    });
    for (const path of ['/api/agents/', '/api/vocabularies/subjects/', '/api/zines/none/'])
        it(`counts all paths together: ${path}`, async () => {
            expectThrottled(await service().get(path));
        });
    it('counts requests for a token', async () => {
        const body = { username: 'viewer', password: 'wrong' };
        expectThrottled(await service().post('/api/auth/token/', body, { token: null }));
    });
    it('leaves those with a token', async () => {
        expect(await statuses(service(), 5, service().tokens.viewer)).to.deep.equal([
            200, 200, 200, 200, 200,
        ]);
    });
    it('leaves /healthz', async () => {
        const answers = await Promise.all([1, 2, 3, 4, 5].map(() => service().get('/healthz')));
        expect(answers.map((answer) => answer.status)).to.deep.equal([200, 200, 200, 200, 200]);
    });
    it('comes after the path', async () => {
        expect((await service().get('/api/nothing/')).status).to.equal(404);
    });
    it('comes after the format', async () => {
        const headers = { accept: 'image/png' };
        expect((await service().get('/api/zines/', { headers })).status).to.equal(406);
    });
    it('comes after credentials', async () => {
        expect((await service().post('/api/zines/', {}, { token: null })).status).to.equal(401);
    });
    it('comes before the method', async () => {
        expectThrottled(await service().get('/api/auth/token/'));
    });
    it('takes no address from a header that anyone can send', async () => {
        const headers = { 'x-forwarded-for': '203.0.113.9' };
        expectThrottled(await service().get('/api/zines/', { headers }));
    });
});
describe('throttling of accounts', () => {
    const service = useService({ THROTTLE_USER: '2/minute' });
    before(async () => {
        expect(await statuses(service(), 3, service().tokens.viewer)).to.deep.equal([200, 200, 429]);
        expect(await statuses(service(), 3, service().tokens.editor)).to.deep.equal([200, 200, 429]);
    });
    it('says when to come back, within the period', async () => {
        const answer = await service().get('/api/zines/', { token: service().tokens.viewer });
        expectThrottled(answer);
        expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60);
    });
    it('counts each account by itself', async () => {
        expect(await statuses(service(), 2, service().tokens.zinesEditor)).to.deep.equal([200, 200]);
    });
    it('leaves the anonymous', async () => {
        expect(await statuses(service(), 4)).to.deep.equal([200, 200, 200, 200]);
    });
    it('comes after permission', async () => {
        const answer = await service().post('/api/zines/', {}, { token: service().tokens.viewer });
        expect(answer.status).to.equal(403);
    });
    it('comes before the method and the record', async () => {
        const token = service().tokens.editor;
        expectThrottled(await service().delete('/api/zines/', { token }));
        expectThrottled(await service().delete('/api/zines/none/', { token }));
    });
    it('comes before the body', async () => {
        const token = service().tokens.editor;
        expectThrottled(await service().ask('POST', '/api/zines/', { token, raw: '{' }));
    });
});
describe('throttling', () => {
    const service = useService();
    it('is off unless it is asked for', async () => {
        const answers = await Promise.all(Array.from({ length: 300 }, () => service().get('/api/vocabularies/agent-kinds/')));
        expect(new Set(answers.map((answer) => answer.status))).to.deep.equal(new Set([200]));
    });
    for (const name of ['THROTTLE_ANON', 'THROTTLE_USER'])
        for (const value of ['often', '3', '3/fortnight', '-1/hour', 'x/hour'])
            it(`${name}=${value} refuses the start and is named`, async () => {
                const failure = await startService({ [name]: value, DATA_DIR: NOWHERE }).then(async (started) => started.stop(), (error) => error);
                expect(failure).to.be.instanceOf(Error).with.property('message').that.includes(name);
            });
});
//# sourceMappingURL=throttle.test.js.map