import { jsx as _jsx } from "preact/jsx-runtime";
// Signing in and out, one's own account, and the accounts of others.
import { AccountRefused, TooManyFailures, TooManyLogins, WrongCredentials, refuseShort, } from '../../accounts/accounts.js';
import { resources, roles } from '../../accounts/rights.js';
import { AccountPage, AccountsPage, LoginPage, OtherAccountPage, } from '../../html/desk/accounts.js';
import { deskRoutes, homePath } from '../../html/links.js';
import { NotFound } from '../../catalogue/failures.js';
import { originOf, lastOf } from '../query.js';
import { showPage, visitOf } from '../sight.js';
import { deskEndpoint, lead, openRoom, readForm, tellingFailures, } from './door.js';
export const accountEndpoints = (parts) => [
    loginEndpoint(parts),
    logoutEndpoint(parts),
    ownAccount(parts),
    allAccounts(parts),
    otherAccount(parts),
];
function loginEndpoint(parts) {
    const { accounts, assets, browsers } = parts;
    const page = (ctx, given) => (_jsx(LoginPage, { visit: { ...visitOf(ctx, assets), csrf: browsers.csrfOf(ctx) }, ...given }));
    return {
        ...deskEndpoint({
            path: deskRoutes.login,
            name: 'Sign in',
            description: 'Opens a session for a browser.',
        }),
        methods: {
            GET(ctx) {
                const next = nextOf(ctx, lastOf(ctx, 'next'));
                if (ctx.state.session)
                    lead(ctx, next);
                else
                    showPage(ctx, page(ctx, { name: '', next }));
            },
            POST: (ctx) => tellingFailures(ctx, parts, async () => {
                const form = await readForm(ctx);
                const name = form.get('username')?.trim() ?? '';
                const next = nextOf(ctx, form.get('next') ?? '');
                browsers.verifyForm(ctx, form);
                try {
                    const account = await accounts.identify(name, form.get('password') ?? '', ctx.ip);
                    await browsers.logIn(ctx, account);
                    lead(ctx, next);
                }
                catch (error) {
                    const text = refusalOf(error);
                    showPage(ctx, page(ctx, { name, next, notice: { tone: 'wrong', text } }), statusOf(error));
                }
            }),
        },
    };
}
const statusOf = (error) => {
    if (error instanceof TooManyFailures)
        return 429;
    return error instanceof TooManyLogins ? 503 : 400;
};
/** What to say of a failure that the page itself tells. @throws any other */
function refusalOf(error) {
    const told = [AccountRefused, WrongCredentials, TooManyFailures, TooManyLogins];
    if (told.some((kind) => error instanceof kind))
        return error.message;
    throw error;
}
/** Where to go after signing in: a page of ours, whatever the address asks for. */
function nextOf(ctx, asked) {
    const origin = originOf(ctx);
    if (!URL.canParse(asked, origin) || !asked.startsWith('/'))
        return homePath;
    const url = new URL(asked, origin);
    return url.origin === origin ? `${url.pathname}${url.search}` : homePath;
}
const logoutEndpoint = (parts) => ({
    ...deskEndpoint({
        path: deskRoutes.logout,
        name: 'Sign out',
        description: 'Ends the session of a browser.',
    }),
    methods: {
        POST: (ctx) => tellingFailures(ctx, parts, async () => {
            parts.browsers.verifyForm(ctx, await readForm(ctx));
            await parts.browsers.logOut(ctx);
            lead(ctx, homePath);
        }),
    },
});
async function noticeOf(deed) {
    try {
        return { tone: 'done', text: await deed() };
    }
    catch (error) {
        return { tone: 'wrong', text: refusalOf(error) };
    }
}
const unknown = () => Promise.reject(new AccountRefused('That is nothing to be done here.'));
function ownAccount(parts) {
    const { accounts, browsers } = parts;
    const deeds = new Map([
        [
            'password',
            async ({ ctx }, form, { name }) => {
                const [current, next] = [form.get('current') ?? '', form.get('next') ?? ''];
                const account = await accounts.changePassword(name, current, next, ctx.ip);
                ctx.state.session = await browsers.logIn(ctx, account);
                return 'The password is changed.';
            },
        ],
        ['revoke', revoke(accounts)],
    ]);
    const page = ({ visit, account }, notice) => (_jsx(AccountPage, { visit, notice, account, token: accounts.tokenOf(account.name) }));
    return openRoom(parts, {
        path: deskRoutes.account,
        name: 'Account',
        description: 'One’s own account.',
        may: () => true,
        show: (caller) => page(caller),
        async take(caller, form) {
            const deed = deeds.get(form.get('do') ?? '') ?? unknown;
            const notice = await noticeOf(() => deed(caller, form, caller.account));
            // A new password comes with a new session, whose forms carry another token.
            const csrf = caller.ctx.state.session?.csrf ?? '';
            return page({ ...caller, visit: { ...caller.visit, csrf } }, notice);
        },
    });
}
const revoke = (accounts) => async (_, __, { name }) => {
    await accounts.revoke(name);
    return 'The token is revoked. Below is the one that holds from now on.';
};
const isAdmin = ({ role }) => role === 'admin';
function allAccounts(parts) {
    const { accounts } = parts;
    const page = ({ visit }, draft, notice) => (_jsx(AccountsPage, { visit, notice, draft, roles, resources, accounts: accounts.list() }));
    const blank = { name: '', role: 'editor', only: [] };
    return openRoom(parts, {
        path: deskRoutes.accounts,
        name: 'Accounts',
        description: 'All accounts, and a form for a new one.',
        may: isAdmin,
        show: (caller) => page(caller, blank),
        async take(caller, form) {
            const draft = {
                name: form.get('name')?.trim() ?? '',
                role: form.get('role') ?? '',
                only: form.getAll('only'),
            };
            const notice = await noticeOf(async () => {
                const password = form.get('password') ?? '';
                refuseShort(password);
                const { name } = await accounts.add({ ...draft, password });
                return `The account ${name} is made.`;
            });
            return page(caller, notice.tone === 'done' ? blank : draft, notice);
        },
    });
}
function otherAccount(parts) {
    const { accounts } = parts;
    const deeds = new Map([
        [
            'rights',
            async (_, form, { name }) => {
                await accounts.setRights(name, form.get('role') ?? '', form.getAll('only'));
                return 'The role is saved.';
            },
        ],
        [
            'password',
            async (_, form, { name }) => {
                await accounts.setPassword(name, form.get('password') ?? '');
                return 'The password is reset.';
            },
        ],
        [
            'disable',
            async (_, __, { name }) => {
                await accounts.disable(name);
                return 'The account is disabled.';
            },
        ],
        [
            'enable',
            async (_, __, { name }) => {
                await accounts.enable(name);
                return 'The account is enabled.';
            },
        ],
        ['revoke', revoke(accounts)],
    ]);
    const page = ({ ctx, visit }, notice) => {
        const account = accountAt(accounts, ctx);
        const token = accounts.tokenOf(account.name);
        return _jsx(OtherAccountPage, { visit, notice, account, token, roles, resources });
    };
    return openRoom(parts, {
        path: deskRoutes.accountOf,
        name: 'Account',
        description: 'An account, for those who keep the accounts.',
        may: isAdmin,
        show: (caller) => page(caller),
        async take(caller, form) {
            const account = accountAt(accounts, caller.ctx);
            const deed = deeds.get(form.get('do') ?? '') ?? unknown;
            return page(caller, await noticeOf(() => deed(caller, form, account)));
        },
    });
}
/** @throws NotFound */
function accountAt(accounts, ctx) {
    const account = accounts.find(ctx.params.name ?? '');
    if (!account)
        throw new NotFound();
    return account;
}
//# sourceMappingURL=accounts.js.map