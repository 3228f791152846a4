// Name and password for a token (specification: Authentication, 3 and 4).
import { Invalid, isBlank, isMissing, readString } from '../model/write-shape.js';
import { readBody } from './body.js';
import { json } from './negotiate.js';
export const tokenEndpoint = (accounts) => ({
    path: '/api/auth/token/',
    name: 'Obtain Auth Token',
    description: 'Gives the token of an account for its name and password.',
    formats: [json],
    open: true,
    methods: {
        async POST(ctx) {
            const { username, password } = readCredentials(await readBody(ctx));
            const token = await accounts.login(username.trim(), password, ctx.ip);
            ctx.set('Cache-Control', 'no-store');
            ctx.body = { token };
        },
    },
});
/** @throws Invalid with what is missing, blank or no string */
function readCredentials(body) {
    const failures = new Map();
    const read = (name) => {
        if (!body.has(name)) {
            failures.set(name, [isMissing]);
            return '';
        }
        const { value, messages } = readString(body.get(name));
        if (messages.length > 0)
            failures.set(name, messages);
        else if (value.trim() === '')
            failures.set(name, [isBlank]);
        return value;
    };
    const credentials = { username: read('username'), password: read('password') };
    if (failures.size > 0)
        throw new Invalid(failures);
    return credentials;
}
//# sourceMappingURL=token.js.map