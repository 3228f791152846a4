// The endpoint that says who a token belongs to and what it may do (docs/api.md, "Accounts and
// rights").

import type { Account } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { sendJson } from '../../http/response/conditional.js'

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
      if (!account) throw httpErrors.noCredentials()
      ctx.set('Cache-Control', 'private, no-store')
      sendJson(ctx, describe(account))
    },
  },
}

const describe = ({ name, role, restrictedTo, repository, token }: Account) => ({
  username: name,
  role,
  only: restrictedTo,
  repository: repository ?? null,
  token: token && { label: token.label, expires: token.expires ?? null },
})
