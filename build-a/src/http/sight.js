// What a browser sees: pages sent with the headers that keep them to themselves, and what a page has
// to know of who asks.
import { sections } from '../html/links.js';
import { printPage } from '../html/print.js';
import { send } from './conditional.js';
import { html } from './negotiate.js';
import { originOf } from './query.js';
// Nothing but our own files runs, styles or is fetched; nobody frames a page or takes its forms elsewhere.
const policyWith = (styles) => [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
].join('; ');
/**
 * Sends a page; the same address may show somebody else another one.
 * @param styles the hashes of style sheets that a library writes into the page itself
 */
export function showPage(ctx, page, status = 200, styles = []) {
    ctx.vary('Cookie');
    ctx.set('Cache-Control', ctx.state.session ? 'private, no-cache' : 'no-cache');
    ctx.set('Content-Security-Policy', policyWith(styles));
    ctx.state.format = html;
    send(ctx, printPage(page));
    if (ctx.status === 200)
        ctx.status = status;
}
export function visitOf(ctx, assets) {
    const { session } = ctx.state;
    return {
        origin: originOf(ctx),
        path: ctx.path,
        query: ctx.querystring,
        account: session?.account,
        csrf: session?.csrf ?? '',
        // SPARQL may be switched off.
        sections: sections.filter(([path]) => ctx.router.match(path, 'GET').route),
        asset: assets.addressOf,
    };
}
//# sourceMappingURL=sight.js.map