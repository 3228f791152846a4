// An address and what can be done there. Every request to one passes the same stages, in the order
// that decisions.md gives: format, credentials, permission, throttle, method; then its handler.
import { mayWrite } from '../accounts/rights.js';
import { tellAlternates } from './alternates.js';
import { html, negotiate } from './negotiate.js';
import { refusals } from './refused.js';
/** The stages of an endpoint, for the router. */
export function stagesOf(endpoint, { authenticate, sessionOf, throttle }) {
    const allow = allowed(endpoint);
    // What is written is answered as data.
    const readable = formatsOf(endpoint);
    return async (ctx, next) => {
        if (endpoint.applies && !(await endpoint.applies(ctx))) {
            await next();
            return;
        }
        ctx.state.route = endpoint.path;
        // Nothing else varies, but for origins, where they are listed.
        if (ctx.res.hasHeader('Vary'))
            ctx.vary('Accept');
        else
            ctx.set('Vary', 'Accept');
        const offered = reading.has(ctx.method) ? readable : endpoint.formats;
        ctx.state.format = negotiate(ctx, offered);
        ctx.state.account = await authenticate(ctx);
        // Pages alone are for who is signed in by a cookie, which a browser sends along unasked.
        if (ctx.state.format === html) {
            ctx.state.session = sessionOf(ctx);
            ctx.state.account ??= ctx.state.session?.account;
        }
        permit(endpoint, ctx.method, ctx.state.account);
        throttle(ctx);
        if (ctx.method === 'OPTIONS') {
            describe(ctx, endpoint, allow);
            return;
        }
        const isPage = endpoint.page && ctx.state.format === html;
        const method = (ctx.method === 'HEAD' ? 'GET' : ctx.method);
        const handler = isPage ? endpoint.page : endpoint.methods[method];
        if (!handler)
            throw refusals.notAllowed(ctx.method, allow);
        await handler(ctx);
        tellAlternates(ctx, offered);
    };
}
/** All that an address can be read as. */
export const formatsOf = ({ formats, page }) => page ? [...formats, html] : formats;
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
function permit(endpoint, method, account) {
    if (reading.has(method) || endpoint.open)
        return;
    if (!account)
        throw refusals.noCredentials();
    // Where nothing can be written, whoever may write anything at all is told so by a 405.
    const may = endpoint.writes ? mayWrite(account, endpoint.writes) : account.role !== 'viewer';
    if (!may)
        throw refusals.noPermission();
}
function allowed({ methods }) {
    const own = Object.keys(methods);
    return [...own, ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
function describe(ctx, endpoint, allow) {
    const { name, description, takes = [json] } = endpoint;
    ctx.set('Allow', allow);
    ctx.body = {
        name,
        description,
        renders: [...new Set(formatsOf(endpoint).map(({ type }) => type))],
        parses: takes,
    };
}
const json = 'application/json';
//# sourceMappingURL=endpoint.js.map