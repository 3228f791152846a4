// Tokens: how one is asked for, how it is shown, and when it is no longer taken. Who may write what
// is in rights.test.ts.
import { expect } from 'chai';
import { PASSWORD, useService } from '../service.js';
import { resourceOf, unique, useCatalogue } from './catalogue.js';
const NO_CREDENTIALS = { detail: 'Authentication credentials were not provided.' };
const INVALID = { detail: 'Invalid token.' };
const NO_LOGIN = { non_field_errors: ['Unable to log in with provided credentials.'] };
describe('authentication', () => {
    const { service } = useCatalogue();
    const login = (body) => service().post('/api/auth/token/', body, { token: null });
    /** An account of its own for a test, with its token. */
    async function account(role = 'editor') {
        const name = unique('account');
        await service().accounts.add({ name, password: PASSWORD, role, only: [] });
        const { body } = await login({ username: name, password: PASSWORD });
        return { name, token: body.token };
    }
    describe('a request for a token', () => {
        it('is answered with 40 hexadecimal digits and nothing else', async () => {
            const { status, body } = await login({ username: 'viewer', password: PASSWORD });
            expect(status).to.equal(200);
            expect(body).to.have.all.keys('token');
            expect(body.token).to.match(/^[0-9a-f]{40}$/);
        });
        it('is answered with the same token each time', async () => {
            const { name, token } = await account();
            const again = await login({ username: name, password: PASSWORD });
            expect(again.body.token).to.equal(token);
        });
        it('is answered with another token for another account', async () => {
            expect((await account()).token).not.to.equal((await account()).token);
        });
        it('gives a token that may write', async () => {
            const { token } = await account('editor');
            const sent = resourceOf('agents').minimal(unique('agent'));
            expect((await service().post('/api/agents/', sent, { token })).status).to.equal(201);
        });
        // prettier-ignore
        for (const [claim, body] of [
            ['a wrong password', { username: 'viewer', password: 'wrong' }],
            ['a password in another case', { username: 'viewer', password: PASSWORD.toUpperCase() }],
            ['a name that does not exist', { username: 'nobody', password: PASSWORD }],
            ['a name in another case', { username: 'Viewer', password: PASSWORD }],
            ['the name __proto__', { username: '__proto__', password: PASSWORD }],
            ['the name constructor', { username: 'constructor', password: PASSWORD }],
            ['a token for the password', { username: 'viewer', password: '0'.repeat(40) }],
        ])
            it(`with ${claim} is refused in the same words`, async () => {
                const answer = await login(body);
                expect(answer.status).to.equal(400);
                expect(answer.body).to.deep.equal(NO_LOGIN);
            });
        // prettier-ignore
        for (const [body, messages] of [
            [{}, { username: ['This field is required.'], password: ['This field is required.'] }],
            [{ username: 'viewer' }, { password: ['This field is required.'] }],
            [{ password: PASSWORD }, { username: ['This field is required.'] }],
            [{ username: '', password: '' }, { username: ['This field may not be blank.'], password: ['This field may not be blank.'] }],
            [{ username: null, password: null }, { username: ['This field may not be null.'], password: ['This field may not be null.'] }],
            [{ username: ['viewer'], password: {} }, { username: ['Not a valid string.'], password: ['Not a valid string.'] }],
            [{ username: 'viewer', password: true }, { password: ['Not a valid string.'] }],
        ])
            it(`of ${JSON.stringify(body)} says what is wrong with its fields`, async () => {
                const answer = await login(body);
                expect(answer.status).to.equal(400);
                expect(answer.body).to.deep.equal(messages);
            });
        it('of a list is no object', async () => {
            const answer = await login([]);
            expect(answer.status).to.equal(400);
            expect(answer.body).to.deep.equal({
                non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
            });
        });
    });
    describe('a token', () => {
        it('that is revoked is invalid', async () => {
            const { name, token } = await account();
            await service().accounts.revoke(name);
            const answer = await service().get('/api/zines/', { token });
            expect(answer.status).to.equal(401);
            expect(answer.body).to.deep.equal(INVALID);
        });
        it('that is revoked is followed by another, which is valid', async () => {
            const { name, token } = await account();
            await service().accounts.revoke(name);
            const { body } = await login({ username: name, password: PASSWORD });
            expect(body.token)
                .to.match(/^[0-9a-f]{40}$/)
                .and.not.equal(token);
            expect((await service().get('/api/zines/', { token: body.token })).status).to.equal(200);
        });
        it('of a disabled account is told so', async () => {
            const { name, token } = await account();
            await service().accounts.disable(name);
            const answer = await service().get('/api/zines/', { token });
            expect(answer.status).to.equal(401);
            expect(answer.body).to.deep.equal({ detail: 'User inactive or deleted.' });
            expect(answer.headers.get('www-authenticate')).to.equal('Token');
        });
        it('is not given to a disabled account', async () => {
            const { name } = await account();
            await service().accounts.disable(name);
            const answer = await login({ username: name, password: PASSWORD });
            expect(answer.status).to.equal(400);
            expect(answer.body).to.deep.equal(NO_LOGIN);
        });
        for (const path of [
            '/api/zines/',
            '/api/zines/zine/',
            '/api/vocabularies/subjects/',
            '/api/geography/countries/',
        ])
            it(`that does not exist is a 401 on reading ${path} too`, async () => {
                const answer = await service().get(path, { token: 'f'.repeat(40) });
                expect(answer.status).to.equal(401);
                expect(answer.body).to.deep.equal(INVALID);
                expect(answer.headers.get('www-authenticate')).to.equal('Token');
            });
        for (const token of ['x', '%', "'OR'1'='1", '__proto__', 'constructor'])
            it(`${token} is invalid`, async () => {
                const answer = await service().get('/api/zines/', { token });
                expect(answer.body).to.deep.equal(INVALID);
            });
        it('in another case is invalid', async () => {
            const token = service().tokens.admin.toUpperCase();
            const answer = await service().get('/api/zines/', { token });
            expect(answer.status).to.equal(401);
        });
    });
    describe('the header', () => {
        const send = (authorization) => service().ask('PATCH', '/api/zines/zine/', {
            body: {},
            token: null,
            headers: { authorization },
        });
        for (const word of ['Token', 'token', 'TOKEN', 'tOkEn'])
            it(`may begin with ${word}`, async () => {
                expect((await send(`${word} ${service().tokens.admin}`)).status).to.equal(200);
            });
        for (const [header, detail] of [
            ['Token', 'Invalid token header. No credentials provided.'],
            ['token', 'Invalid token header. No credentials provided.'],
            ['Token a b', 'Invalid token header. Token string should not contain spaces.'],
            ['Token a b c', 'Invalid token header. Token string should not contain spaces.'],
            ['Bearer abc', NO_CREDENTIALS.detail],
            ['Basic YTpi', NO_CREDENTIALS.detail],
            ['Tokens abc', NO_CREDENTIALS.detail],
            ['abc', NO_CREDENTIALS.detail],
        ])
            it(`“${header}” is answered: ${detail}`, async () => {
                const answer = await send(header);
                expect(answer.status).to.equal(401);
                expect(answer.body).to.deep.equal({ detail });
                expect(answer.headers.get('www-authenticate')).to.equal('Token');
            });
        for (const header of ['Token', 'Token a b'])
            it(`“${header}” is a 401 on a read too`, async () => {
                const headers = { authorization: header };
                expect((await service().get('/api/zines/', { headers })).status).to.equal(401);
            });
        for (const header of ['Bearer abc', 'Basic YTpi'])
            it(`“${header}” is no matter on a read`, async () => {
                const headers = { authorization: header };
                expect((await service().get('/api/zines/', { headers })).status).to.equal(200);
            });
        it('is not replaced by a token in the URL', async () => {
            const path = `/api/agents/?token=${service().tokens.admin}`;
            expect((await service().post(path, {}, { token: null })).status).to.equal(401);
        });
    });
});
describe('failed logins', () => {
    const service = useService({ TRUST_PROXY: 'true' });
    const login = (username, password, from) => service().post('/api/auth/token/', { username, password }, { token: null, headers: { 'x-forwarded-for': from } });
    async function failOften(username, from) {
        for (let time = 0; time < 10; time++)
            expect((await login(username, 'wrong', from(time))).status).to.equal(400);
    }
    for (const [what, name] of [
        ['a name', 'viewer'],
        ['a name that does not exist', 'nobody'],
    ])
        it(`for ${what} are too many after ten, in the words of the throttle`, async () => {
            await failOften(name, (time) => `192.0.2.${time}`);
            const { status, headers, body } = await login(name, PASSWORD, '192.0.2.99');
            expect(status).to.equal(429);
            const seconds = Number(headers.get('retry-after'));
            expect(seconds).to.be.within(800, 900);
            expect(body).to.deep.equal({
                detail: `Request was throttled. Expected available in ${seconds} seconds.`,
            });
        });
    it('of strangers do not keep out who logs in from where they did before', async () => {
        expect((await login('editor', PASSWORD, '198.51.100.1')).status).to.equal(200);
        await failOften('editor', () => '198.51.100.2');
        expect((await login('editor', PASSWORD, '198.51.100.2')).status).to.equal(429);
        expect((await login('editor', PASSWORD, '198.51.100.1')).status).to.equal(200);
    });
    it('from one network are too many after thirty, whatever the names', async () => {
        for (let time = 0; time < 30; time++)
            expect((await login(`name ${time}`, 'wrong', `2001:db8::${time}`)).status).to.equal(400);
        expect((await login('zines-editor', PASSWORD, '2001:db8::99')).status).to.equal(429);
        expect((await login('zines-editor', PASSWORD, '2001:db8:0:1::1')).status).to.equal(200);
    });
    it('leave the token as good as it was', async () => {
        const { token } = (await login('admin', PASSWORD, '203.0.113.1')).body;
        await failOften('admin', () => '203.0.113.2');
        expect((await service().get('/api/zines/', { token })).status).to.equal(200);
    });
});
//# sourceMappingURL=auth.test.js.map