// The pages for signing in and out, and for choosing the password of an invitation. How they look is
// left to features/account-pages/accounts-page.tsx.

import { message } from '../../message.js'
import { InvalidError } from '../../errors.js'
import {
  type Accounts,
  CredentialsError,
  LoginBusyError,
  LoginThrottledError,
} from '../../accounts/accounts.js'
import type { Invitations } from '../../accounts/invitations.js'
import { InvitationPage, LoginPage } from './accounts-page.js'
import type { Notice } from '../../views/form-layout.js'
import { editingRoutes, homePath } from '../../views/links.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext } from '../../http/context.js'
import { queryParam } from '../../http/request/url.js'
import { readForm } from '../../http/request/body.js'
import { messageOf } from './account-actions.js'
import { requestOrigin } from '../../http/origin.js'
import { sendPage, pageContext } from '../../http/response/html.js'
import {
  type FormDependencies,
  editingEndpoint,
  redirect,
  withErrorPage,
} from '../../http/form-endpoint.js'

type SignInDependencies = FormDependencies & {
  readonly accounts: Accounts
  readonly invitations: Invitations
}

export const signInEndpoints = (dependencies: SignInDependencies): Endpoint[] => [
  loginEndpoint(dependencies),
  logoutEndpoint(dependencies),
  invitationEndpoint(dependencies),
]

function loginEndpoint(dependencies: SignInDependencies): Endpoint {
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
    // accounts/login-throttle.ts limits failed logins, and accounts.ts those under way.
    signsIn: ['GET', 'HEAD', 'POST'],
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

/** The path to go to after signing in; the home page instead of any other site. */
export function safeNextPath(ctx: RequestContext, next: string): string {
  const origin = requestOrigin(ctx)
  if (!URL.canParse(next, origin) || !next.startsWith('/')) return homePath
  const url = new URL(next, origin)
  const path = `${url.pathname}${url.search}`
  // A path that begins with two slashes would be another host: `/.//evil.example` becomes one.
  return url.origin === origin && !path.startsWith('//') ? path : homePath
}

const logoutEndpoint = (dependencies: SignInDependencies): Endpoint => ({
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

/** The page where whoever was invited chooses a password, without an account yet. */
function invitationEndpoint(dependencies: SignInDependencies): Endpoint {
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
