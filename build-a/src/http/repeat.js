// Answers that hold for everybody are kept, with their headers, and given again as long as they hold: to
// who asks the same in the same words. Whatever is out of the ordinary goes the whole way.
import { openKept } from '../catalogue/kept.js';
import { hasOneHost, originOf } from './query.js';
/** How much is kept, in bytes: some ten thousand records, or a thousand pages of lists. */
const room = 64 * 1024 * 1024;
export function repeat({ authenticate, throttle }) {
    const replies = openKept(room, ({ body }) => body.length + 3000);
    return async (ctx, next) => {
        if (!isOrdinary(ctx)) {
            await next();
            return;
        }
        const question = questionOf(ctx);
        const reply = replies.get(question);
        if (reply?.holds()) {
            ctx.state.route = reply.route;
            ctx.state.account = await authenticate(ctx);
            throttle(ctx);
            give(ctx, reply);
            return;
        }
        const before = new Set(ctx.res.getHeaderNames());
        await next();
        const { holds, route } = ctx.state;
        if (!holds || ctx.status !== 200 || typeof ctx.body !== 'string')
            return;
        const headers = Object.entries(ctx.res.getHeaders()).flatMap(([name, value]) => before.has(name) || value === undefined
            ? []
            : [[name, typeof value === 'number' ? String(value) : value]]);
        replies.keep(question, { route, headers, body: Buffer.from(ctx.body), holds });
    };
}
/** Pages and conditions are for who asks; and what has two hosts is refused. */
const isOrdinary = ({ method, req }) => method === 'GET' &&
    req.headers.cookie === undefined &&
    req.headers['if-none-match'] === undefined &&
    hasOneHost(req);
/** All that tells one answer from another, but for who asks. */
const questionOf = (ctx) => `${originOf(ctx)} ${ctx.url} ${ctx.get('Accept')} ${ctx.get('Origin')}`;
/** Past Koa, which would weigh and measure the body anew. */
function give(ctx, { headers, body }) {
    ctx.respond = false;
    ctx.res.statusCode = 200;
    for (const [name, value] of headers)
        ctx.res.setHeader(name, value);
    ctx.res.end(body);
}
//# sourceMappingURL=repeat.js.map