// The pages for one's own account and for the accounts of others. How they look is left to
// features/account-pages/accounts-page.tsx.

import { message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import { type Account, type Accounts, validateNewPassword } from '../../accounts/accounts.js'
import type { Invitations } from '../../accounts/invitations.js'
import { roles } from '../../accounts/rights.js'
import { resourceNames } from '../../model/iris.js'
import {
  AccountPage,
  AccountsPage,
  type NewAccountInput,
  OtherAccountPage,
} from './accounts-page.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext } from '../../http/context.js'
import { type WebhookDependencies, webhookProps } from '../webhooks/account-webhooks.js'
import {
  type AccountAction,
  type ActionResult,
  runAction,
  tokenActions,
  unknownAction,
  webhookActions,
} from './account-actions.js'
import { tokenProps } from './account-tokens.js'
import {
  type LibraryDependencies,
  checkRepository,
  findLibraries,
  repositoryIn,
  withLibraries,
  withLibrary,
} from './libraries.js'
import { signInEndpoints } from './sign-in.js'
import { requestOrigin } from '../../http/origin.js'
import {
  type SignedInRequest,
  type FormDependencies,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'

type AccountEndpointsDependencies = FormDependencies &
  WebhookDependencies &
  LibraryDependencies & {
    readonly accounts: Accounts
    readonly invitations: Invitations
  }

export const accountEndpoints = (dependencies: AccountEndpointsDependencies): Endpoint[] => [
  ...signInEndpoints(dependencies),
  ownAccountEndpoint(dependencies),
  accountsEndpoint(dependencies),
  otherAccountEndpoint(dependencies),
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
  const page = async (
    { context, account }: SignedInRequest,
    { notice, token, webhook }: Partial<ActionResult>,
  ) => (
    <AccountPage
      {...{ context, notice }}
      account={await withLibrary(dependencies, account)}
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

/** What the page of all accounts shows besides them. */
type AccountsPageState = {
  readonly input?: NewAccountInput
  readonly notice?: Notice
  /** The invitation that was just made. */
  readonly link?: { readonly name: string; readonly url: string }
}

const emptyInput: NewAccountInput = { name: '', role: 'editor', restrictedTo: [] }

const readNewAccount = (form: SubmittedForm): NewAccountInput => ({
  name: form.get('name')?.trim() ?? '',
  role: form.get('role') ?? '',
  restrictedTo: form.getAll('only'),
  repository: repositoryIn(form),
})

function accountsEndpoint(dependencies: AccountEndpointsDependencies): Endpoint {
  const { accounts, invitations } = dependencies

  const page = async (
    { context }: SignedInRequest,
    { input = emptyInput, notice, link }: AccountsPageState = {},
  ) => (
    <AccountsPage
      {...{ context, notice, link, roles }}
      invitations={invitations.open()}
      draft={input}
      resources={resourceNames}
      libraries={await findLibraries(dependencies)}
      accounts={await withLibraries(dependencies, accounts.list())}
    />
  )

  async function invite(request: SignedInRequest, input: NewAccountInput) {
    let link: AccountsPageState['link']
    const { notice } = await runAction(async () => {
      await checkRepository(dependencies, input.repository)
      const { invitation, key } = await invitations.invite(input)
      const url = requestOrigin(request.ctx) + editingLinks.invitation(key)
      link = { name: invitation.name, url }
      return message('Invitation for "{name}" created.', { name: invitation.name })
    })
    return page(request, link ? { notice, link } : { notice, input })
  }

  async function withdraw(request: SignedInRequest, { name }: NewAccountInput) {
    const { notice } = await runAction(async () => {
      await invitations.withdraw(name)
      return message('Invitation for "{name}" withdrawn.', { name })
    })
    return page(request, { notice })
  }

  async function add(request: SignedInRequest, input: NewAccountInput, password: string) {
    const { notice } = await runAction(async () => {
      validateNewPassword(password)
      await checkRepository(dependencies, input.repository)
      const { name } = await accounts.add({ ...input, password })
      return message('Account "{name}" created.', { name })
    })
    return page(request, notice.tone === 'done' ? { notice } : { notice, input })
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.accounts,
    name: 'Accounts',
    description: 'All accounts, and a form for a new one.',
    isAllowed: isAdmin,
    render: (request) => page(request),
    async submit(request, form) {
      const input = readNewAccount(form)
      const action = form.get('do')
      if (action === 'invite') return invite(request, input)
      if (action === 'withdraw') return withdraw(request, input)
      return add(request, input, form.get('password') ?? '')
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
  const page = async (
    { ctx, context, account: by }: SignedInRequest,
    { notice, token, webhook }: Partial<ActionResult>,
  ) => {
    const account = requireAccount(accounts, ctx)
    return (
      <OtherAccountPage
        {...{ context, notice, roles, resources: resourceNames }}
        account={await withLibrary(dependencies, account)}
        libraries={await findLibraries(dependencies)}
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

/** The account in the path. @throws NotFoundError */
function requireAccount(accounts: Accounts, ctx: RequestContext): Account {
  const account = accounts.find(ctx.params.name ?? '')
  if (!account) throw new NotFoundError()
  return account
}
