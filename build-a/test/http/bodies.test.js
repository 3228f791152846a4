// Bodies that are no JSON object, in no encoding that is taken, or too big.
import { expect } from 'chai';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { agent } from '../examples.js';
import { pathOf, unique, useCatalogue } from './catalogue.js';
const MIB = 1024 * 1024;
const TOO_LARGE = { detail: 'Request body too large.' };
describe('bodies', () => {
    const { service, given } = useCatalogue();
    for (const raw of [
        '{',
        '{"agent_id": "x"',
        '{"agent_id": "x",}',
        "{'agent_id': 'x'}",
        '{agent_id: "x"}',
        'agent_id=x',
        'undefined',
        '{"a": 1} {"b": 2}',
        '{"a": "\n"}',
        '{"a": "\\x"}',
        '{"a": 01}',
        '// {}',
        '<agent/>',
    ])
        it(`${JSON.stringify(raw)} is no JSON`, async () => {
            const answer = await service().ask('POST', '/api/agents/', { raw });
            expect(answer.status).to.equal(400);
            expect(answer.body).to.have.all.keys('detail');
            expect(answer.body.detail).to.match(/^JSON parse error - ./);
        });
    for (const method of ['PUT', 'PATCH'])
        it(`a ${method} of no JSON writes nothing`, async () => {
            const made = await given.agent();
            const path = pathOf('agents', made.agent_id);
            const answer = await service().ask(method, path, { raw: '{"biography": "x"' });
            expect(answer.status).to.equal(400);
            expect((await service().get(path)).body).to.deep.equal(made);
        });
    for (const raw of ['', ' '])
        it(`${JSON.stringify(raw)} is a 400`, async () => {
            const answer = await service().ask('POST', '/api/agents/', { raw });
            expect(answer.status).to.equal(400);
        });
    for (const [raw, type] of [
        ['[]', 'list'],
        ['[{"agent_id": "x"}]', 'list'],
        ['"x"', 'str'],
        ['3', 'int'],
        ['3.5', 'float'],
        ['true', 'bool'],
        ['false', 'bool'],
    ])
        it(`${raw} is no object but a ${type}`, async () => {
            const answer = await service().ask('POST', '/api/agents/', { raw });
            expect(answer.status).to.equal(400);
            expect(answer.body).to.deep.equal({
                non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`],
            });
        });
    it('null is no object', async () => {
        const answer = await service().ask('POST', '/api/agents/', { raw: 'null' });
        expect(answer.status).to.equal(400);
        expect(answer.body).to.have.all.keys('non_field_errors');
    });
    for (const nested of [
        '['.repeat(10_000),
        '{"a":'.repeat(10_000),
        '['.repeat(20) + ']'.repeat(20),
    ])
        it(`${nested.slice(0, 10)}… as a body is a 400`, async () => {
            const answer = await service().ask('POST', '/api/agents/', { raw: nested });
            expect(answer.status).to.equal(400);
        });
    it('a field nested 10,000 deep is a 400', async () => {
        const deep = '['.repeat(10_000) + ']'.repeat(10_000);
        const raw = JSON.stringify(agent(unique('agent'))).replace(/\}$/, `,"biography":${deep}}`);
        expect((await service().ask('POST', '/api/agents/', { raw })).status).to.equal(400);
    });
    describe('in UTF-8', () => {
        it('may have any character', async () => {
            const made = agent(unique('agent'), { display_name: 'Łódź 🦄' });
            const raw = new TextEncoder().encode(JSON.stringify(made));
            const answer = await service().ask('POST', '/api/agents/', { raw });
            expect(answer.body.display_name, answer.text).to.equal('Łódź 🦄');
        });
        for (const [why, bytes] of [
            ['a byte of Latin-1', [0xe9]],
            ['a character cut short', [0xe2, 0x82]],
            ['an encoded surrogate', [0xed, 0xa0, 0x80]],
            ['an overlong slash', [0xc0, 0xaf]],
            ['a byte that never occurs', [0xff]],
        ])
            it(`${why} is a 400`, async () => {
                const text = JSON.stringify(agent(unique('agent'), { display_name: 'x@x' }));
                const [head = '', tail = ''] = text.split('@');
                const raw = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
                expect((await service().ask('POST', '/api/agents/', { raw })).status).to.equal(400);
            });
    });
    describe('of other types', () => {
        for (const type of [
            'text/plain',
            'application/x-www-form-urlencoded',
            'multipart/form-data; boundary=x',
            'application/xml',
            'text/turtle',
            'application/octet-stream',
            'image/png',
        ])
            it(`${type} is a 415`, async () => {
                const headers = { 'content-type': type };
                const raw = JSON.stringify(agent(unique('agent')));
                const answer = await service().ask('POST', '/api/agents/', { raw, headers });
                expect(answer.status).to.equal(415);
                expect(answer.body).to.deep.equal({
                    detail: `Unsupported media type "${type}" in request.`,
                });
            });
        it('a form as a request for a token is a 415', async () => {
            const headers = { 'content-type': 'application/x-www-form-urlencoded' };
            const raw = 'username=admin&password=x';
            const answer = await service().ask('POST', '/api/auth/token/', { raw, headers, token: null });
            expect(answer.status).to.equal(415);
        });
        for (const type of [
            'application/json; charset=utf-8',
            'application/json;charset=UTF-8',
            'Application/JSON',
        ])
            it(`${type} is JSON`, async () => {
                const headers = { 'content-type': type };
                const raw = JSON.stringify(agent(unique('agent')));
                const answer = await service().ask('POST', '/api/agents/', { raw, headers });
                expect(answer.status, answer.text).to.equal(201);
            });
        it('what is said to be gzip and is not is a 400 or a 415', async () => {
            const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
            const raw = JSON.stringify(agent(unique('agent')));
            const answer = await service().ask('POST', '/api/agents/', { raw, headers });
            expect(answer.status).to.be.oneOf([400, 415]);
            expect(answer.body).to.have.all.keys('detail');
        });
        it('a small gzip that holds a large body is refused', async () => {
            const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
            const raw = gzipSync(`{"biography": "${'x'.repeat(30 * MIB)}"}`);
            const answer = await service().ask('POST', '/api/agents/', { raw, headers });
            expect(answer.status).to.be.oneOf([413, 415]);
        });
    });
    describe('of a size', () => {
        /** An agent whose JSON has so many bytes. */
        const agentOf = (bytes) => {
            const made = agent(unique('agent'), { biography: '' });
            const rest = bytes - JSON.stringify(made).length;
            return JSON.stringify({ ...made, biography: 'x'.repeat(rest) });
        };
        it('of 1 MiB are taken', async () => {
            const answer = await service().ask('POST', '/api/agents/', { raw: agentOf(MIB) });
            expect(answer.status).to.equal(201);
        });
        it('of one byte more are refused', async () => {
            const answer = await service().ask('POST', '/api/agents/', { raw: agentOf(MIB + 1) });
            expect(answer.status).to.equal(413);
            expect(answer.body).to.deep.equal(TOO_LARGE);
        });
        for (const [how, chunked] of [
            ['with their length', false],
            ['in chunks', true],
        ])
            it(`of 5 MiB, sent ${how}, are refused on a connection that can go on`, async () => {
                const pool = new Agent({ keepAlive: true, maxSockets: 1 });
                try {
                    const first = await send(pool, 'POST', agentOf(5 * MIB), chunked);
                    const second = await send(pool, 'GET');
                    expect(first.status).to.equal(413);
                    expect(JSON.parse(first.text)).to.deep.equal(TOO_LARGE);
                    expect(second.status).to.equal(200);
                    expect(JSON.parse(second.text)).to.include.all.keys('count', 'results');
                }
                finally {
                    pool.destroy();
                }
            });
        function send(pool, method, body = '', chunked = false) {
            const length = chunked ? {} : { 'content-length': Buffer.byteLength(body) };
            const headers = {
                authorization: `Token ${service().tokens.admin}`,
                ...(body === '' ? {} : { 'content-type': 'application/json', ...length }),
            };
            return new Promise((resolve, reject) => {
                const sent = request(`${service().url}/api/agents/`, { agent: pool, method, headers }, (response) => {
                    const chunks = [];
                    response.on('data', (chunk) => chunks.push(chunk));
                    response.on('error', reject);
                    response.on('end', () => resolve({
                        status: response.statusCode ?? 0,
                        text: Buffer.concat(chunks).toString('utf8'),
                    }));
                });
                sent.on('error', reject);
                sent.end(body);
            });
        }
    });
});
//# sourceMappingURL=bodies.test.js.map