// Signing in and out, one's own account, and the accounts of others.

import {
  AccountError,
  type Account,
  type Accounts,
  LoginThrottledError,
  LoginBusyError,
  CredentialsError,
  validateNewPassword,
} from '../../accounts/accounts.js'
import { resources, roles } from '../../accounts/rights.js'
import {
  AccountPage,
  AccountsPage,
  type NewAccountInput,
  LoginPage,
  OtherAccountPage,
} from '../../views/pages/accounts.js'
import type { Notice } from '../../views/form-layout.js'
import { editingRoutes, homePath } from '../../views/links.js'
import { RecordNotFoundError } from '../../catalogue/errors.js'
import type { Endpoint } from '../endpoint.js'
import type { RequestContext } from '../context.js'
import { queryParam } from '../request/url.js'
import { requestOrigin } from '../origin.js'
import { sendPage, pageContext } from '../response/html.js'
import {
  type SignedInRequest,
  type FormDependencies,
  type SubmittedForm,
  editingEndpoint,
  redirect,
  createFormEndpoint,
  readForm,
  withErrorPage,
} from './form-endpoint.js'

type AccountEndpointsDependencies = FormDependencies & { readonly accounts: Accounts }

export const accountEndpoints = (parts: AccountEndpointsDependencies): Endpoint[] => [
  loginEndpoint(parts),
  logoutEndpoint(parts),
  ownAccount(parts),
  allAccounts(parts),
  otherAccount(parts),
]

function loginEndpoint(parts: AccountEndpointsDependencies): Endpoint {
  const { accounts, assets, browsers } = parts
  const page = (ctx: RequestContext, given: { name: string; next: string; notice?: Notice }) => (
    <LoginPage visit={{ ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }} {...given} />
  )
  return {
    ...editingEndpoint({
      path: editingRoutes.login,
      name: 'Sign in',
      description: 'Opens a session for a browser.',
    }),
    methods: {
      GET(ctx) {
        const next = nextOf(ctx, queryParam(ctx, 'next'))
        if (ctx.state.session) redirect(ctx, next)
        else sendPage(ctx, page(ctx, { name: '', next }))
      },
      POST: (ctx) =>
        withErrorPage(ctx, parts, async () => {
          const form = await readForm(ctx)
          const name = form.get('username')?.trim() ?? ''
          const next = nextOf(ctx, form.get('next') ?? '')
          browsers.verifyCsrf(ctx, form)
          try {
            const account = await accounts.verifyLogin(name, form.get('password') ?? '', ctx.ip)
            await browsers.logIn(ctx, account)
            redirect(ctx, next)
          } catch (error) {
            const text = refusalOf(error)
            sendPage(
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
  if (error instanceof LoginThrottledError) return 429
  return error instanceof LoginBusyError ? 503 : 400
}

/** What to say of a failure that the page itself tells. @throws any other */
function refusalOf(error: unknown): string {
  const told = [AccountError, CredentialsError, LoginThrottledError, LoginBusyError]
  if (told.some((kind) => error instanceof kind)) return (error as Error).message
  throw error
}

/** Where to go after signing in: a page of ours, whatever the address asks for. */
function nextOf(ctx: RequestContext, asked: string): string {
  const origin = requestOrigin(ctx)
  if (!URL.canParse(asked, origin) || !asked.startsWith('/')) return homePath
  const url = new URL(asked, origin)
  return url.origin === origin ? `${url.pathname}${url.search}` : homePath
}

const logoutEndpoint = (parts: AccountEndpointsDependencies): Endpoint => ({
  ...editingEndpoint({
    path: editingRoutes.logout,
    name: 'Sign out',
    description: 'Ends the session of a browser.',
  }),
  methods: {
    POST: (ctx) =>
      withErrorPage(ctx, parts, async () => {
        parts.browsers.verifyCsrf(ctx, await readForm(ctx))
        await parts.browsers.logOut(ctx)
        redirect(ctx, homePath)
      }),
  },
})

/** Does something to an account; what it refuses is said on the page where it was asked for. */
type AccountAction = (
  caller: SignedInRequest,
  form: SubmittedForm,
  account: Account,
) => Promise<string>

async function noticeAfter(deed: () => Promise<string>): Promise<Notice> {
  try {
    return { tone: 'done', text: await deed() }
  } catch (error) {
    return { tone: 'wrong', text: refusalOf(error) }
  }
}

const unknown: AccountAction = () =>
  Promise.reject(new AccountError('That is nothing to be done here.'))

function ownAccount(parts: AccountEndpointsDependencies): Endpoint {
  const { accounts, browsers } = parts
  const deeds = new Map<string, AccountAction>([
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
  const page = ({ visit, account }: SignedInRequest, notice?: Notice) => (
    <AccountPage {...{ visit, notice, account, token: accounts.tokenOf(account.name) }} />
  )
  return createFormEndpoint(parts, {
    path: editingRoutes.account,
    name: 'Account',
    description: 'One’s own account.',
    isAllowed: () => true,
    render: (caller) => page(caller),
    async submit(caller, form) {
      const deed = deeds.get(form.get('do') ?? '') ?? unknown
      const notice = await noticeAfter(() => deed(caller, form, caller.account))
      // A new password comes with a new session, whose forms carry another token.
      const csrf = caller.ctx.state.session?.csrf ?? ''
      return page({ ...caller, visit: { ...caller.visit, csrf } }, notice)
    },
  })
}

const revoke =
  (accounts: Accounts): AccountAction =>
  async (_, __, { name }) => {
    await accounts.revoke(name)
    return 'The token is revoked. Below is the one that holds from now on.'
  }

const isAdmin = ({ role }: Account): boolean => role === 'admin'

function allAccounts(parts: AccountEndpointsDependencies): Endpoint {
  const { accounts } = parts
  const page = ({ visit }: SignedInRequest, draft: NewAccountInput, notice?: Notice) => (
    <AccountsPage {...{ visit, notice, draft, roles, resources, accounts: accounts.list() }} />
  )
  const blank: NewAccountInput = { name: '', role: 'editor', only: [] }
  return createFormEndpoint(parts, {
    path: editingRoutes.accounts,
    name: 'Accounts',
    description: 'All accounts, and a form for a new one.',
    isAllowed: isAdmin,
    render: (caller) => page(caller, blank),
    async submit(caller, form) {
      const draft: NewAccountInput = {
        name: form.get('name')?.trim() ?? '',
        role: form.get('role') ?? '',
        only: form.getAll('only'),
      }
      const notice = await noticeAfter(async () => {
        const password = form.get('password') ?? ''
        validateNewPassword(password)
        const { name } = await accounts.add({ ...draft, password })
        return `The account ${name} is made.`
      })
      return page(caller, notice.tone === 'done' ? blank : draft, notice)
    },
  })
}

function otherAccount(parts: AccountEndpointsDependencies): Endpoint {
  const { accounts } = parts
  const deeds = new Map<string, AccountAction>([
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
  const page = ({ ctx, visit }: SignedInRequest, notice?: Notice) => {
    const account = accountAt(accounts, ctx)
    const token = accounts.tokenOf(account.name)
    return <OtherAccountPage {...{ visit, notice, account, token, roles, resources }} />
  }
  return createFormEndpoint(parts, {
    path: editingRoutes.accountOf,
    name: 'Account',
    description: 'An account, for those who keep the accounts.',
    isAllowed: isAdmin,
    render: (caller) => page(caller),
    async submit(caller, form) {
      const account = accountAt(accounts, caller.ctx)
      const deed = deeds.get(form.get('do') ?? '') ?? unknown
      return page(caller, await noticeAfter(() => deed(caller, form, account)))
    },
  })
}

/** @throws NotFound */
function accountAt(accounts: Accounts, ctx: RequestContext): Account {
  const account = accounts.find(ctx.params.name ?? '')
  if (!account) throw new RecordNotFoundError()
  return account
}
