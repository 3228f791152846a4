// Rights: which role may write what.
import { expect } from 'chai';
import { listOf, pathOf, resources, unique, useCatalogue } from './catalogue.js';
const NO_CREDENTIALS = { detail: 'Authentication credentials were not provided.' };
const INVALID = { detail: 'Invalid token.' };
const FORBIDDEN = { detail: 'You do not have permission to perform this action.' };
describe('rights', () => {
    const { service, given } = useCatalogue();
    for (const resource of resources) {
        const { name, key, text, minimal } = resource;
        /** Each write of this resource, to a record of its own, and what it is answered with. */
        const writes = {
            POST: () => [listOf(name), minimal(unique(key)), 201],
            PUT: async () => {
                const { [key]: id } = await given.record(resource);
                return [pathOf(name, id), minimal(id), 200];
            },
            PATCH: async () => {
                const { [key]: id } = await given.record(resource);
                return [pathOf(name, id), { [text]: 'Changed.' }, 200];
            },
            DELETE: async () => {
                const { [key]: id } = await given.record(resource);
                return [pathOf(name, id), undefined, 204];
            },
        };
        for (const [method, write] of Object.entries(writes))
            describe(`a ${method} of ${name}`, () => {
                it('without credentials is a 401', async () => {
                    const [path, body] = await write();
                    const answer = await service().ask(method, path, { body, token: null });
                    expect(answer.status).to.equal(401);
                    expect(answer.body).to.deep.equal(NO_CREDENTIALS);
                    expect(answer.headers.get('www-authenticate')).to.equal('Token');
                });
                it('with a token that does not exist is a 401', async () => {
                    const [path, body] = await write();
                    const answer = await service().ask(method, path, { body, token: '0'.repeat(40) });
                    expect(answer.status).to.equal(401);
                    expect(answer.body).to.deep.equal(INVALID);
                    expect(answer.headers.get('www-authenticate')).to.equal('Token');
                });
                it('by a viewer is a 403', async () => {
                    const [path, body] = await write();
                    const token = service().tokens.viewer;
                    const answer = await service().ask(method, path, { body, token });
                    expect(answer.status).to.equal(403);
                    expect(answer.body).to.deep.equal(FORBIDDEN);
                });
                for (const role of ['admin', 'editor'])
                    it(`by the ${role} is accepted`, async () => {
                        const [path, body, status] = await write();
                        const token = service().tokens[role];
                        const answer = await service().ask(method, path, { body, token });
                        expect(answer.status, answer.text).to.equal(status);
                    });
                it(`by an editor of zines alone is ${name === 'zines' ? 'accepted' : 'a 403'}`, async () => {
                    const [path, body, status] = await write();
                    const token = service().tokens.zinesEditor;
                    const answer = await service().ask(method, path, { body, token });
                    expect(answer.status, answer.text).to.equal(name === 'zines' ? status : 403);
                });
                for (const who of ['nobody', 'a viewer'])
                    it(`by ${who} writes nothing`, async () => {
                        const [path, body] = await write();
                        const { body: before } = await service().get(path);
                        const token = who === 'nobody' ? null : service().tokens.viewer;
                        await service().ask(method, path, { body, token });
                        expect((await service().get(path)).body).to.deep.equal(before);
                    });
            });
        for (const role of ['viewer', 'editor', 'zinesEditor'])
            it(`${name} may be read by the ${role}`, async () => {
                const token = service().tokens[role];
                expect((await service().get(listOf(name), { token })).status).to.equal(200);
            });
    }
});
//# sourceMappingURL=rights.test.js.map