// What is told of every request once it is over, to the log and to whoever counts: what was asked, how
// it ended and how long it took. Never what was in it: no header, no body, no value of a parameter.
import { randomUUID } from 'node:crypto';
/** Gives every request an identifier, the client's own where that is one, and tells of it in the end. */
export function tellOf(told) {
    return (ctx, next) => {
        const id = idOf(ctx);
        ctx.state.id = id;
        ctx.set('X-Request-Id', id);
        const started = performance.now();
        const { socket } = ctx.req;
        const before = socket.bytesWritten;
        ctx.res.once('close', () => {
            told({
                id,
                method: methods.has(ctx.method) ? ctx.method : 'other',
                path: ctx.path.slice(0, longest),
                query: parametersIn(ctx.querystring),
                route: ctx.state.route,
                status: ctx.res.statusCode,
                milliseconds: performance.now() - started,
                bytes: socket.bytesWritten - before,
                account: ctx.state.account?.name,
                aborted: !ctx.res.writableFinished,
            });
        });
        return next();
    };
}
const longest = 500;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
function idOf(ctx) {
    const sent = ctx.get('X-Request-Id');
    return /^[\w.:-]{8,128}$/.test(sent) ? sent : randomUUID();
}
// A name that is none of a parameter's may be anything, such as a token behind a question mark.
function parametersIn(querystring) {
    if (querystring === '')
        return [];
    const names = new Set(new URLSearchParams(querystring.slice(0, longest)).keys());
    return [...names].map((name) => (/^[a-z_-]{1,30}$/.test(name) ? name : '?'));
}
//# sourceMappingURL=exchanges.js.map