// The endpoint that says who a token belongs to and what it may do (docs/reference/accounts.md,
// "Accounts and rights").

import type { Account } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import { resourceNames } from '../../model/iris.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'

const meSchema = schema.component(
  'Me',
  'An account, and what may be done with the token of the request.',
  {
    username: schema.text(),
    role: schema.choice(['admin', 'editor', 'viewer']),
    only: schema.listOf(
      schema.choice(resourceNames),
      'The only lists that may be written; empty for all.',
    ),
    repository: schema.nullable(
      schema.text(
        'The identifier of the only repository whose holdings may be written; null for any.',
      ),
    ),
    token: schema.object(
      {
        label: schema.text('`login` for the token that logins give.'),
        expires: schema.nullable(schema.time()),
      },
      'The token of the request.',
    ),
  },
)

export const meEndpoint: Endpoint = {
  path: '/api/auth/me/',
  name: 'Own Account',
  description:
    'The account of the token that the request is made with, and what may be done with the token.',
  formats: [json],
  needsAccount: true,
  methods: {
    GET(ctx) {
      const { account } = ctx.state
      if (!account?.token) throw httpErrors.noCredentials()
      ctx.set('Cache-Control', 'private, no-store')
      sendJson(ctx, describe(account, account.token))
    },
  },
  operations: { GET: { response: meSchema } },
}

const describe = (
  { name, role, restrictedTo, repository }: Account,
  { label, expires }: NonNullable<Account['token']>,
): schema.ValueOf<typeof meSchema> => ({
  username: name,
  role,
  only: restrictedTo,
  repository: repository ?? null,
  token: { label, expires: expires ?? null },
})
