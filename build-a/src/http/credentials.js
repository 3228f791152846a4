// Who asks: the Authorization header, as DRF's TokenAuthentication reads it.
import { refusals } from './refused.js';
export const authenticateBy = (accounts) => (ctx) => {
    const token = tokenIn(ctx);
    return token === undefined ? undefined : accounts.authenticate(token);
};
/** The token that a request has. @throws Refused when it cannot be one */
export function tokenIn(ctx) {
    const authorization = ctx.get('Authorization');
    if (authorization === '')
        return undefined;
    const [scheme, token, ...more] = authorization.split(/\s+/).filter(Boolean);
    if (scheme?.toLowerCase() !== 'token')
        return undefined;
    if (token === undefined)
        throw refusals.badHeader('No credentials provided.');
    if (more.length > 0)
        throw refusals.badHeader('Token string should not contain spaces.');
    return token;
}
//# sourceMappingURL=credentials.js.map