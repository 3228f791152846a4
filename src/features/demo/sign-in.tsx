// Signing in to a demonstration: with one button and without a password. Each visitor gets an account
// of their own, so that nobody uses up the requests of another.

import { randomBytes } from 'node:crypto'

import { ThrottledError } from '../../errors.js'
import type { Account, Accounts } from '../../accounts/accounts.js'
import { networkOf } from '../../lib/network.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import type { Endpoint } from '../../http/endpoint.js'
import {
  type FormDependencies,
  editingEndpoint,
  redirect,
  withErrorPage,
} from '../../http/form-endpoint.js'
import { readForm } from '../../http/request/body.js'
import { createSlidingWindow } from '../../http/request/throttle.js'
import { queryParam } from '../../http/request/url.js'
import { pageContext, sendPage } from '../../http/response/html.js'
import { Form } from '../../views/form.js'
import { FormPage } from '../../views/form-layout.js'
import { type PageContext, ResetTime } from '../../views/layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import { rich, t } from '../../views/translate.js'
import { safeNextPath } from '../account-pages/sign-in.js'

export type DemoDependencies = FormDependencies & {
  readonly accounts: Accounts
  /** The time at which a demonstration goes back to its beginning; undefined for other services. */
  readonly resetsAt: string | undefined
}

/** Takes the place of the form for name and password. */
export function guestEndpoint(dependencies: DemoDependencies, resetsAt: string): Endpoint {
  const { assets, browsers } = dependencies
  const addGuest = createGuests(dependencies.accounts)
  return {
    ...editingEndpoint({
      path: editingRoutes.login,
      name: 'Try editing',
      description: 'Opens a session with a new account for a visitor of the demonstration.',
    }),
    methods: {
      GET(ctx) {
        const next = safeNextPath(ctx, queryParam(ctx, 'next'))
        const context = { ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }
        if (ctx.state.session) redirect(ctx, next)
        else sendPage(ctx, <GuestPage {...{ context, next, resetsAt }} />)
      },
      POST: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const form = await readForm(ctx)
          browsers.verifyCsrf(ctx, form)
          await browsers.logIn(ctx, await addGuest(ctx.ip))
          redirect(ctx, safeNextPath(ctx, form.get('next') ?? ''), 'signed-in')
        }),
    },
  }
}

/** @returns adds an editor whose password nobody knows; so many of a network in an hour */
function createGuests(accounts: Accounts): (address: string) => Promise<Account> {
  const count = createSlidingWindow(guestRate, () => performance.now())
  const runAlone = limitConcurrency(1)
  return (address) =>
    runAlone(() => {
      const budget = count?.(networkOf(address))
      if (budget?.isExceeded) throw new ThrottledError(Math.ceil(budget.resetSeconds))
      return accounts.add({
        name: `guest-${accounts.list().length + 1}`,
        password: randomBytes(32).toString('base64url'),
        role: 'editor',
        restrictedTo: [],
      })
    })
}

const guestRate = { requests: 20, seconds: 3600, text: '20/hour' }

const GuestPage = ({
  context,
  next,
  resetsAt,
}: {
  readonly context: PageContext
  readonly next: string
  readonly resetsAt: string
}) => (
  <FormPage context={context} title={t('Try editing')}>
    <p class="lead">
      {rich(
        'You get an account of your own, without a password. It may edit all records. It goes away at {time}, with everything that was written.',
        { time: <ResetTime value={resetsAt} /> },
      )}
    </p>
    <p>{t('Everyone sees what you write. Pictures are not taken here.')}</p>
    <Form context={context} action={editingLinks.login}>
      <input type="hidden" name="next" value={next} />
      <p class="actions">
        <button>{t('Try editing')}</button>
      </p>
    </Form>
  </FormPage>
)
