// Signing in and out, one's own account, and the accounts of others.

import {
  AccountRefused,
  type Account,
  type Accounts,
  TooManyFailures,
  TooManyLogins,
  WrongCredentials,
  refuseShort,
} from '../../accounts/accounts.js'
import { resources, roles } from '../../accounts/rights.js'
import {
  AccountPage,
  AccountsPage,
  type Draft,
  LoginPage,
  OtherAccountPage,
} from '../../views/pages/accounts.js'
import type { Notice } from '../../views/form-layout.js'
import { deskRoutes, homePath } from '../../views/links.js'
import { NotFound } from '../../catalogue/errors.js'
import type { Context, Endpoint } from '../endpoint.js'
import { originOf, lastOf } from '../request/url.js'
import { showPage, visitOf } from '../response/html.js'
import {
  type Caller,
  type Doors,
  type Form,
  deskEndpoint,
  lead,
  openRoom,
  readForm,
  tellingFailures,
} from './form-endpoint.js'

type Parts = Doors & { readonly accounts: Accounts }

export const accountEndpoints = (parts: Parts): Endpoint[] => [
  loginEndpoint(parts),
  logoutEndpoint(parts),
  ownAccount(parts),
  allAccounts(parts),
  otherAccount(parts),
]

function loginEndpoint(parts: Parts): Endpoint {
  const { accounts, assets, browsers } = parts
  const page = (ctx: Context, given: { name: string; next: string; notice?: Notice }) => (
    <LoginPage visit={{ ...visitOf(ctx, assets), csrf: browsers.csrfOf(ctx) }} {...given} />
  )
  return {
    ...deskEndpoint({
      path: deskRoutes.login,
      name: 'Sign in',
      description: 'Opens a session for a browser.',
    }),
    methods: {
      GET(ctx) {
        const next = nextOf(ctx, lastOf(ctx, 'next'))
        if (ctx.state.session) lead(ctx, next)
        else showPage(ctx, page(ctx, { name: '', next }))
      },
      POST: (ctx) =>
        tellingFailures(ctx, parts, async () => {
          const form = await readForm(ctx)
          const name = form.get('username')?.trim() ?? ''
          const next = nextOf(ctx, form.get('next') ?? '')
          browsers.verifyForm(ctx, form)
          try {
            const account = await accounts.identify(name, form.get('password') ?? '', ctx.ip)
            await browsers.logIn(ctx, account)
            lead(ctx, next)
          } catch (error) {
            const text = refusalOf(error)
            showPage(
              ctx,
              page(ctx, { name, next, notice: { tone: 'wrong', text } }),
              statusOf(error),
            )
          }
        }),
    },
  }
}

const statusOf = (error: unknown): number => {
  if (error instanceof TooManyFailures) return 429
  return error instanceof TooManyLogins ? 503 : 400
}

/** What to say of a failure that the page itself tells. @throws any other */
function refusalOf(error: unknown): string {
  const told = [AccountRefused, WrongCredentials, TooManyFailures, TooManyLogins]
  if (told.some((kind) => error instanceof kind)) return (error as Error).message
  throw error
}

/** Where to go after signing in: a page of ours, whatever the address asks for. */
function nextOf(ctx: Context, asked: string): string {
  const origin = originOf(ctx)
  if (!URL.canParse(asked, origin) || !asked.startsWith('/')) return homePath
  const url = new URL(asked, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : homePath
}

const logoutEndpoint = (parts: Parts): Endpoint => ({
  ...deskEndpoint({
    path: deskRoutes.logout,
    name: 'Sign out',
    description: 'Ends the session of a browser.',
  }),
  methods: {
    POST: (ctx) =>
      tellingFailures(ctx, parts, async () => {
        parts.browsers.verifyForm(ctx, await readForm(ctx))
        await parts.browsers.logOut(ctx)
        lead(ctx, homePath)
      }),
  },
})

/** Does something to an account; what it refuses is said on the page where it was asked for. */
type Deed = (caller: Caller, form: Form, account: Account) => Promise<string>

async function noticeOf(deed: () => Promise<string>): Promise<Notice> {
  try {
    return { tone: 'done', text: await deed() }
  } catch (error) {
    return { tone: 'wrong', text: refusalOf(error) }
  }
}

const unknown: Deed = () => Promise.reject(new AccountRefused('That is nothing to be done here.'))

function ownAccount(parts: Parts): Endpoint {
  const { accounts, browsers } = parts
  const deeds = new Map<string, Deed>([
    [
      'password',
      async ({ ctx }, form, { name }) => {
        const [current, next] = [form.get('current') ?? '', form.get('next') ?? '']
        const account = await accounts.changePassword(name, current, next, ctx.ip)
        ctx.state.session = await browsers.logIn(ctx, account)
        return 'The password is changed.'
      },
    ],
    ['revoke', revoke(accounts)],
  ])
  const page = ({ visit, account }: Caller, notice?: Notice) => (
    <AccountPage {...{ visit, notice, account, token: accounts.tokenOf(account.name) }} />
  )
  return openRoom(parts, {
    path: deskRoutes.account,
    name: 'Account',
    description: 'One’s own account.',
    may: () => true,
    show: (caller) => page(caller),
    async take(caller, form) {
      const deed = deeds.get(form.get('do') ?? '') ?? unknown
      const notice = await noticeOf(() => deed(caller, form, caller.account))
      // A new password comes with a new session, whose forms carry another token.
      const csrf = caller.ctx.state.session?.csrf ?? ''
      return page({ ...caller, visit: { ...caller.visit, csrf } }, notice)
    },
  })
}

const revoke =
  (accounts: Accounts): Deed =>
  async (_, __, { name }) => {
    await accounts.revoke(name)
    return 'The token is revoked. Below is the one that holds from now on.'
  }

const isAdmin = ({ role }: Account): boolean => role === 'admin'

function allAccounts(parts: Parts): Endpoint {
  const { accounts } = parts
  const page = ({ visit }: Caller, draft: Draft, notice?: Notice) => (
    <AccountsPage {...{ visit, notice, draft, roles, resources, accounts: accounts.list() }} />
  )
  const blank: Draft = { name: '', role: 'editor', only: [] }
  return openRoom(parts, {
    path: deskRoutes.accounts,
    name: 'Accounts',
    description: 'All accounts, and a form for a new one.',
    may: isAdmin,
    show: (caller) => page(caller, blank),
    async take(caller, form) {
      const draft: Draft = {
        name: form.get('name')?.trim() ?? '',
        role: form.get('role') ?? '',
        only: form.getAll('only'),
      }
      const notice = await noticeOf(async () => {
        const password = form.get('password') ?? ''
        refuseShort(password)
        const { name } = await accounts.add({ ...draft, password })
        return `The account ${name} is made.`
      })
      return page(caller, notice.tone === 'done' ? blank : draft, notice)
    },
  })
}

function otherAccount(parts: Parts): Endpoint {
  const { accounts } = parts
  const deeds = new Map<string, Deed>([
    [
      'rights',
      async (_, form, { name }) => {
        await accounts.setRights(name, form.get('role') ?? '', form.getAll('only'))
        return 'The role is saved.'
      },
    ],
    [
      'password',
      async (_, form, { name }) => {
        await accounts.setPassword(name, form.get('password') ?? '')
        return 'The password is reset.'
      },
    ],
    [
      'disable',
      async (_, __, { name }) => {
        await accounts.disable(name)
        return 'The account is disabled.'
      },
    ],
    [
      'enable',
      async (_, __, { name }) => {
        await accounts.enable(name)
        return 'The account is enabled.'
      },
    ],
    ['revoke', revoke(accounts)],
  ])
  const page = ({ ctx, visit }: Caller, notice?: Notice) => {
    const account = accountAt(accounts, ctx)
    const token = accounts.tokenOf(account.name)
    return <OtherAccountPage {...{ visit, notice, account, token, roles, resources }} />
  }
  return openRoom(parts, {
    path: deskRoutes.accountOf,
    name: 'Account',
    description: 'An account, for those who keep the accounts.',
    may: isAdmin,
    show: (caller) => page(caller),
    async take(caller, form) {
      const account = accountAt(accounts, caller.ctx)
      const deed = deeds.get(form.get('do') ?? '') ?? unknown
      return page(caller, await noticeOf(() => deed(caller, form, account)))
    },
  })
}

/** @throws NotFound */
function accountAt(accounts: Accounts, ctx: Context): Account {
  const account = accounts.find(ctx.params.name ?? '')
  if (!account) throw new NotFound()
  return account
}
