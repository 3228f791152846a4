// The page that makes the first administrator, for whoever opens the link that the start printed.
// What the link is good for: first-run.ts.

import { message } from '../../message.js'
import { InvalidError, NotFoundError } from '../../errors.js'
import { queryParam } from '../../http/request/url.js'
import { readForm } from '../../http/request/body.js'
import { pageContext, sendPage } from '../../http/response/html.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext } from '../../http/context.js'
import {
  type FormDependencies,
  editingEndpoint,
  redirect,
  withErrorPage,
} from '../../http/form-endpoint.js'
import { Form } from '../../views/form.js'
import { FormPage, InputRow, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import { t } from '../../views/translate.js'
import { NewPasswordRows } from '../account-pages/accounts-page.js'
import type { FirstRun } from './first-run.js'

export type FirstRunDependencies = FormDependencies & {
  /** Only the process that writes has one. */
  readonly firstRun: FirstRun | undefined
}

export function firstRunEndpoint(dependencies: FirstRunDependencies): Endpoint {
  const { assets, browsers } = dependencies

  const requireFirstRun = (): FirstRun => {
    if (!dependencies.firstRun?.isNeeded()) throw new NotFoundError()
    return dependencies.firstRun
  }

  const page = (ctx: RequestContext, csrf: string, name = '', notice?: Notice) => (
    <FirstAccountPage context={{ ...pageContext(ctx, assets), csrf }} {...{ name, notice }} />
  )

  return {
    ...editingEndpoint({
      path: editingRoutes.firstRun,
      name: 'First account',
      description: 'Adds the first administrator, with the link that the start printed.',
    }),
    methods: {
      GET: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const firstRun = requireFirstRun()
          const csrf = browsers.csrfOf(ctx)
          const key = queryParam(ctx, 'key')
          if (key === '') {
            firstRun.requireAdmitted(csrf)
            sendPage(ctx, page(ctx, csrf))
            return
          }
          // The address with the key is in no history, and no page is referred to by it.
          ctx.set('Referrer-Policy', 'no-referrer')
          await firstRun.admit(csrf, key, ctx.ip)
          redirect(ctx, editingLinks.firstRun())
        }),
      POST: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const form = await readForm(ctx)
          browsers.verifyCsrf(ctx, form)
          const firstRun = requireFirstRun()
          const csrf = browsers.csrfOf(ctx)
          const name = form.get('username')?.trim() ?? ''
          const password = form.get('password') ?? ''
          try {
            firstRun.requireAdmitted(csrf)
            if (password !== form.get('again'))
              throw new InvalidError(message('The two passwords are not the same.'))
            await browsers.logIn(ctx, await firstRun.addAdministrator(csrf, name, password))
            redirect(ctx, editingLinks.welcome, 'signed-in')
          } catch (error) {
            if (!(error instanceof InvalidError)) throw error
            sendPage(ctx, page(ctx, csrf, name, { tone: 'wrong', text: error.text }), 400)
          }
        }),
    },
  }
}

const FirstAccountPage = ({
  context,
  name,
  notice,
}: {
  readonly context: PageContext
  readonly name: string
  readonly notice?: Notice | undefined
}) => (
  <FormPage context={context} title={t('Create the first account')} notice={notice}>
    <p class="lead">
      {t(
        'This account is the administrator: it may edit everything and add accounts for other people.',
      )}
    </p>
    <Form context={context} action={editingRoutes.firstRun} class="narrow">
      <InputRow
        name="username"
        label={t('User name')}
        value={name}
        autocomplete="username"
        required
      />
      <NewPasswordRows />
      <button>{t('Create account')}</button>
    </Form>
  </FormPage>
)
