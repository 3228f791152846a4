// The pages for signing in and out, for one's own account, and for the accounts of others. How they
// look is left to features/account-pages/accounts-page.tsx.

import { type Message, isMessage, message } from '../../message.js'
import { InvalidError, NotFoundError } from '../../errors.js'
import {
  type Account,
  type Accounts,
  LoginThrottledError,
  LoginBusyError,
  CredentialsError,
  validateNewPassword,
} from '../../accounts/accounts.js'
import type { Invitations } from '../../accounts/invitations.js'
import { roles } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { resourceNames } from '../../model/iris.js'
import {
  AccountPage,
  AccountsPage,
  type NewAccountInput,
  InvitationPage,
  LoginPage,
  OtherAccountPage,
} from './accounts-page.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes, homePath } from '../../views/links.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext } from '../../http/context.js'
import { queryParam } from '../../http/request/url.js'
import { readForm } from '../../http/request/body.js'
import {
  type ShownWebhook,
  type WebhookDependencies,
  addWebhook,
  changeWebhook,
  webhookProps,
} from '../webhooks/account-webhooks.js'
import { type ShownToken, addToken, revokeToken, tokenProps } from './account-tokens.js'
import { requestOrigin } from '../../http/origin.js'
import { sendPage, pageContext } from '../../http/response/html.js'
import {
  type SignedInRequest,
  type FormDependencies,
  type SubmittedForm,
  editingEndpoint,
  redirect,
  createFormEndpoint,
  withErrorPage,
} from '../../http/form-endpoint.js'

type AccountEndpointsDependencies = FormDependencies &
  WebhookDependencies & {
    readonly accounts: Accounts
    readonly invitations: Invitations
    readonly catalogue: Pick<Catalogue, 'find' | 'mayWriteRecord'>
  }

export const accountEndpoints = (dependencies: AccountEndpointsDependencies): Endpoint[] => [
  loginEndpoint(dependencies),
  logoutEndpoint(dependencies),
  ownAccountEndpoint(dependencies),
  accountsEndpoint(dependencies),
  otherAccountEndpoint(dependencies),
  invitationEndpoint(dependencies),
]

function loginEndpoint(dependencies: AccountEndpointsDependencies): Endpoint {
  const { accounts, assets, browsers } = dependencies
  const page = (ctx: RequestContext, input: { name: string; next: string; notice?: Notice }) => (
    <LoginPage context={{ ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }} {...input} />
  )
  return {
    ...editingEndpoint({
      path: editingRoutes.login,
      name: 'Sign in',
      description: 'Opens a session for a browser.',
    }),
    methods: {
      GET(ctx) {
        const next = safeNextPath(ctx, queryParam(ctx, 'next'))
        if (ctx.state.session) redirect(ctx, next)
        else sendPage(ctx, page(ctx, { name: '', next }))
      },
      POST: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const form = await readForm(ctx)
          const name = form.get('username')?.trim() ?? ''
          const next = safeNextPath(ctx, form.get('next') ?? '')
          browsers.verifyCsrf(ctx, form)
          try {
            const account = await accounts.verifyLogin(name, form.get('password') ?? '', ctx.ip)
            await browsers.logIn(ctx, account)
            redirect(ctx, next, 'signed-in')
          } catch (error) {
            const text =
              error instanceof CredentialsError
                ? message('Wrong user name or password.')
                : messageOf(error)
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

/** The message of an error that is shown on the page. @throws any other error */
function messageOf(error: unknown): Message {
  if (error instanceof LoginThrottledError) return tooManyLogins(Math.ceil(error.seconds / 60))
  const isShown = [InvalidError, NotFoundError, LoginBusyError].some(
    (kind) => error instanceof kind,
  )
  if (isShown) return (error as InvalidError | NotFoundError | LoginBusyError).text
  throw error
}

const tooManyLogins = (minutes: number): Message =>
  minutes === 1
    ? message('Too many failed logins. Try again in a minute.')
    : message('Too many failed logins. Try again in {count} minutes.', { count: minutes })

/** The path to go to after signing in; the home page instead of any other site. */
function safeNextPath(ctx: RequestContext, next: string): string {
  const origin = requestOrigin(ctx)
  if (!URL.canParse(next, origin) || !next.startsWith('/')) return homePath
  const url = new URL(next, origin)
  const path = `${url.pathname}${url.search}`
  // A path that begins with two slashes would be another host: `/.//evil.example` becomes one.
  return url.origin === origin && !path.startsWith('//') ? path : homePath
}

const logoutEndpoint = (dependencies: AccountEndpointsDependencies): Endpoint => ({
  ...editingEndpoint({
    path: editingRoutes.logout,
    name: 'Sign out',
    description: 'Ends the session of a browser.',
  }),
  methods: {
    POST: (ctx) =>
      withErrorPage(ctx, dependencies, async () => {
        dependencies.browsers.verifyCsrf(ctx, await readForm(ctx))
        await dependencies.browsers.logOut(ctx)
        redirect(ctx, homePath, 'signed-out')
      }),
  },
})

/** Does something to an account and returns what to show. Its errors are shown on the page. */
type AccountAction = (
  request: SignedInRequest,
  form: SubmittedForm,
  account: Account,
) => Promise<Message | Shown>

/** What the page shows this once: a token or a webhook that was added. */
type Added = { readonly token?: ShownToken; readonly webhook?: ShownWebhook }

/** What the page shows after an action. */
type Shown = Added & { readonly text: Message }

type ActionResult = Added & { readonly notice: Notice }

/** Runs an action; returns the notice of its success or its error. */
async function runAction(action: () => Promise<Message | Shown>): Promise<ActionResult> {
  try {
    const result = await action()
    const { text, ...added } = isMessage(result) ? { text: result } : result
    return { notice: { tone: 'done', text }, ...added }
  } catch (error) {
    return { notice: { tone: 'wrong', text: messageOf(error) } }
  }
}

/** What the forms of the tokens do. */
const tokenActions = (accounts: Accounts): readonly (readonly [string, AccountAction])[] => [
  ['revoke', (_, form, account) => revokeToken(accounts, account, form)],
  [
    'token',
    async (_, form, account) => {
      const token = await addToken(accounts, account, form)
      return { text: message('Token added.'), token }
    },
  ],
]

const unknownAction: AccountAction = () =>
  Promise.reject(
    new InvalidError(message('This button is not known. Reload the page and try again.')),
  )

/** What the forms of the webhooks do. */
const webhookActions = (
  dependencies: WebhookDependencies,
): readonly (readonly [string, AccountAction])[] => [
  [
    'webhook',
    async ({ account: by }, form, account) => {
      if (!webhookProps(dependencies, account, by).mayAdd)
        throw new InvalidError(message('Your account may not add webhooks.'))
      const webhook = await addWebhook(dependencies, account, form)
      return { text: message('Webhook added.'), webhook }
    },
  ],
  ...(['enable', 'disable', 'remove'] as const).map((action): readonly [string, AccountAction] => [
    `webhook-${action}`,
    (_, form, account) => changeWebhook(dependencies, account, form, action),
  ]),
]

function ownAccountEndpoint(dependencies: AccountEndpointsDependencies): Endpoint {
  const { accounts, browsers } = dependencies
  const actions = new Map<string, AccountAction>([
    [
      'password',
      async ({ ctx }, form, { name }) => {
        const [current, next] = [form.get('current') ?? '', form.get('next') ?? '']
        const account = await accounts.changePassword(name, current, next, ctx.ip)
        ctx.state.session = await browsers.logIn(ctx, account)
        return message('Password changed.')
      },
    ],
    ...tokenActions(accounts),
    ...webhookActions(dependencies),
  ])
  const page = (
    { context, account }: SignedInRequest,
    { notice, token, webhook }: Partial<ActionResult>,
  ) => (
    <AccountPage
      {...{ context, notice, account }}
      tokens={tokenProps(accounts, account, token)}
      webhooks={webhookProps(dependencies, account, account, webhook)}
    />
  )
  return createFormEndpoint(dependencies, {
    path: editingRoutes.account,
    name: 'Account',
    description: 'One’s own account.',
    isAllowed: () => true,
    render: (request) => page(request, {}),
    async submit(request, form) {
      const action = actions.get(form.get('do') ?? '') ?? unknownAction
      const result = await runAction(() => action(request, form, request.account))
      // A new password comes with a new session, and so with another CSRF token.
      const csrf = request.ctx.state.session?.csrf ?? ''
      return page({ ...request, context: { ...request.context, csrf } }, result)
    },
  })
}

const isAdmin = ({ role }: Account): boolean => role === 'admin'

function accountsEndpoint(dependencies: AccountEndpointsDependencies): Endpoint {
  const { accounts, invitations } = dependencies

  async function invite(
    request: SignedInRequest,
    input: NewAccountInput,
  ): Promise<ReturnType<typeof page>> {
    let link: { readonly name: string; readonly url: string } | undefined
    const { notice } = await runAction(async () => {
      await checkRepository(dependencies, input.repository)
      const { invitation, key } = await invitations.invite(input)
      const url = requestOrigin(request.ctx) + editingLinks.invitation(key)
      link = { name: invitation.name, url }
      return message('Invitation for "{name}" made.', { name: invitation.name })
    })
    return page(request, link ? emptyInput : input, notice, link)
  }

  const page = (
    { context }: SignedInRequest,
    input: NewAccountInput,
    notice?: Notice,
    link?: { readonly name: string; readonly url: string },
  ) => (
    <AccountsPage
      {...{
        context,
        notice,
        link,
        invitations: invitations.open(),
        draft: input,
        roles,
        resources: resourceNames,
        accounts: accounts.list(),
      }}
    />
  )
  const emptyInput: NewAccountInput = { name: '', role: 'editor', restrictedTo: [] }
  return createFormEndpoint(dependencies, {
    path: editingRoutes.accounts,
    name: 'Accounts',
    description: 'All accounts, and a form for a new one.',
    isAllowed: isAdmin,
    render: (request) => page(request, emptyInput),
    async submit(request, form) {
      const input: NewAccountInput = {
        name: form.get('name')?.trim() ?? '',
        role: form.get('role') ?? '',
        restrictedTo: form.getAll('only'),
        repository: repositoryIn(form),
      }
      if (form.get('do') === 'invite') return invite(request, input)
      if (form.get('do') === 'withdraw') {
        const { notice } = await runAction(async () => {
          await invitations.withdraw(input.name)
          return message('Invitation for "{name}" withdrawn.', { name: input.name })
        })
        return page(request, emptyInput, notice)
      }
      const { notice } = await runAction(async () => {
        const password = form.get('password') ?? ''
        validateNewPassword(password)
        await checkRepository(dependencies, input.repository)
        const { name } = await accounts.add({ ...input, password })
        return message('Account "{name}" created.', { name })
      })
      return page(request, notice.tone === 'done' ? emptyInput : input, notice)
    },
  })
}

function otherAccountEndpoint(dependencies: AccountEndpointsDependencies): Endpoint {
  const { accounts } = dependencies
  const actions = new Map<string, AccountAction>([
    [
      'rights',
      async (_, form, { name }) => {
        const repository = repositoryIn(form)
        await checkRepository(dependencies, repository)
        await accounts.setRights(name, form.get('role') ?? '', form.getAll('only'), repository)
        return message('Role saved.')
      },
    ],
    [
      'password',
      async (_, form, { name }) => {
        await accounts.setPassword(name, form.get('password') ?? '')
        return message('Password reset.')
      },
    ],
    [
      'disable',
      async (_, __, { name }) => {
        await accounts.disable(name)
        return message('Account disabled.')
      },
    ],
    [
      'enable',
      async (_, __, { name }) => {
        await accounts.enable(name)
        return message('Account enabled.')
      },
    ],
    ...tokenActions(accounts),
    ...webhookActions(dependencies),
  ])
  const page = (
    { ctx, context, account: by }: SignedInRequest,
    { notice, token, webhook }: Partial<ActionResult>,
  ) => {
    const account = requireAccount(accounts, ctx)
    return (
      <OtherAccountPage
        {...{ context, notice, account, roles, resources: resourceNames }}
        tokens={tokenProps(accounts, account, token)}
        webhooks={webhookProps(dependencies, account, by, webhook)}
      />
    )
  }
  return createFormEndpoint(dependencies, {
    path: editingRoutes.accountOf,
    name: 'Account',
    description: 'One account, for administrators.',
    isAllowed: isAdmin,
    render: (request) => page(request, {}),
    async submit(request, form) {
      const account = requireAccount(accounts, request.ctx)
      const action = actions.get(form.get('do') ?? '') ?? unknownAction
      return page(request, await runAction(() => action(request, form, account)))
    },
  })
}

/** The identifier of a repository in a form; undefined where the field is empty. */
const repositoryIn = (form: SubmittedForm): string | undefined =>
  nonEmpty(form.get('repository')?.trim())

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** @throws InvalidError if there is no such repository */
async function checkRepository(
  { catalogue }: AccountEndpointsDependencies,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return
  const reference = { target: 'repositories', id } as const
  if (!(await catalogue.find([reference]))(reference))
    throw new InvalidError(message('There is no library with the identifier "{id}".', { id }))
}

/** The page where whoever was invited chooses a password, without an account yet. */
function invitationEndpoint(dependencies: AccountEndpointsDependencies): Endpoint {
  const { assets, browsers, invitations } = dependencies
  const page = (ctx: RequestContext, invitationKey: string, name: string, notice?: Notice) => (
    <InvitationPage
      context={{ ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }}
      {...{ name, invitationKey, notice }}
    />
  )
  return {
    ...editingEndpoint({
      path: editingRoutes.invitation,
      name: 'Invitation',
      description: 'Adds the account of somebody who was invited.',
    }),
    methods: {
      GET: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const key = queryParam(ctx, 'key')
          const { name } = await invitations.find(key, ctx.ip)
          sendPage(ctx, page(ctx, key, name))
        }),
      POST: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const form = await readForm(ctx)
          browsers.verifyCsrf(ctx, form)
          const key = form.get('key') ?? ''
          const { name } = await invitations.find(key, ctx.ip)
          const password = form.get('password') ?? ''
          try {
            if (password !== form.get('again'))
              throw new InvalidError(message('The two passwords are not the same.'))
            const account = await invitations.accept(key, password, ctx.ip)
            await browsers.logIn(ctx, account)
            redirect(ctx, homePath, 'signed-in')
          } catch (error) {
            if (!(error instanceof InvalidError)) throw error
            sendPage(ctx, page(ctx, key, name, { tone: 'wrong', text: error.text }), 400)
          }
        }),
    },
  }
}

/** The account in the path. @throws NotFoundError */
function requireAccount(accounts: Accounts, ctx: RequestContext): Account {
  const account = accounts.find(ctx.params.name ?? '')
  if (!account) throw new NotFoundError()
  return account
}
