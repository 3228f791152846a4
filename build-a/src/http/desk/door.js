import { jsx as _jsx } from "preact/jsx-runtime";
import { desk, withParameters } from '../../html/links.js';
import { MessagePage } from '../../html/desk/frame.js';
import { readText } from '../body.js';
import { html } from '../negotiate.js';
import { answerTo, Refused } from '../refused.js';
import { showPage, visitOf } from '../sight.js';
export const formType = 'application/x-www-form-urlencoded';
/** What every page of the desk has in common with the addresses of the API. */
export const deskEndpoint = ({ path, name, description, }) => ({
    path,
    name,
    description,
    formats: [html],
    takes: [formType],
    // Not by a token: a session is asked for by the room itself.
    open: true,
});
/** A room whose door is open to those who are signed in and may be there. */
export function openRoom(doors, room) {
    const { assets, browsers } = doors;
    return {
        ...deskEndpoint(room),
        methods: {
            GET: (ctx) => tellingFailures(ctx, doors, async () => {
                const visit = visitOf(ctx, assets);
                const account = ctx.state.session?.account;
                if (!account) {
                    lead(ctx, withParameters(desk.login, '', { next: ctx.url }));
                    return;
                }
                if (!room.may(account))
                    throw notForYou();
                showPage(ctx, await room.show({ ctx, account, visit }));
            }),
            POST: (ctx) => tellingFailures(ctx, doors, async () => {
                const form = await readForm(ctx);
                const account = ctx.state.session?.account;
                if (!account || isForged(browsers, ctx, form)) {
                    if (!room.keep)
                        throw signedOut();
                    const visit = { ...visitOf(ctx, assets), csrf: browsers.csrfOf(ctx) };
                    showPage(ctx, await room.keep({ ctx, visit }, form), 403);
                    return;
                }
                if (!room.may(account))
                    throw notForYou();
                const answer = await room.take({ ctx, account, visit: visitOf(ctx, assets) }, form);
                if ('to' in answer)
                    lead(ctx, answer.to);
                else
                    showPage(ctx, answer, statusOf(ctx));
            }),
        },
    };
}
/** A status that a handler chose; a page is a success otherwise. */
const statusOf = ({ status }) => (status === 404 ? 200 : status);
export const readForm = async (ctx) => new URLSearchParams(await readText(ctx, formType));
/** Leads the browser on, so that reloading the next page sends nothing again (RFC 9110, 15.4.4). */
export function lead(ctx, to) {
    ctx.status = 303;
    ctx.set('Location', to);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = '';
}
function isForged(browsers, ctx, form) {
    try {
        browsers.verifyForm(ctx, form);
        return false;
    }
    catch (error) {
        if (error instanceof Refused)
            return true;
        throw error;
    }
}
/** Does what a page does; what fails is told in words on a page of its own. */
export async function tellingFailures(ctx, { assets }, work) {
    try {
        await work();
    }
    catch (error) {
        const answer = answerTo(error);
        if (!answer)
            throw error;
        const { status, headers = {} } = answer;
        ctx.set(headers);
        const page = (_jsx(MessagePage, { visit: visitOf(ctx, assets), title: titles[status] ?? 'That did not work', children: _jsx("p", { children: wordsIn(answer.body) }) }));
        showPage(ctx, page, status);
    }
}
const titles = {
    403: 'Not allowed',
    404: 'Not found',
    413: 'Too large',
    429: 'Too many requests',
};
const wordsIn = (body) => 'detail' in body && typeof body.detail === 'string'
    ? body.detail
    : Object.values(body).flat().join(' ');
const refuse = (status, detail) => new Refused({ status, body: { detail } });
const notForYou = () => refuse(403, 'Your account is not allowed to do this. Ask an administrator of the catalogue.');
const signedOut = () => refuse(403, 'You were signed out meanwhile, or this form is too old. Sign in and try again.');
//# sourceMappingURL=door.js.map