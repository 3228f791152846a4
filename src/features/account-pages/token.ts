// The endpoint that exchanges a name and a password for a token (docs/reference/accounts.md,
// "Accounts and rights"). Passwords are checked by accounts/accounts.ts.

import type { Accounts } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import type { Endpoint } from '../../http/endpoint.js'
import { readBody } from '../../http/request/body.js'
import * as schema from '../../http/schemas.js'

const credentialsSchema = schema.component('TokenRequest', 'The name and password of an account.', {
  username: schema.text({ minLength: 1 }),
  password: schema.text({ minLength: 1, format: 'password', writeOnly: true }),
})

const tokenSchema = schema.component('Token', 'The token that the logins of an account give.', {
  token: schema.text({
    pattern: '^[0-9a-f]{40}$',
    readOnly: true,
    description: 'To be sent in the Authorization header. It does not expire.',
  }),
})

export const tokenEndpoint = (accounts: Accounts): Endpoint => ({
  path: '/api/auth/token/',
  name: 'Obtain Auth Token',
  description: 'Gives the token of an account for its name and password.',
  formats: [json],
  anonymousWrite: true,
  // accounts/login-throttle.ts limits failed logins, and accounts.ts those under way.
  signsIn: ['POST'],
  methods: {
    async POST(ctx) {
      const { username, password } = schema.parseMembers(credentialsSchema, await readBody(ctx))
      const token = await accounts.login(username.trim(), password, ctx.ip)
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { token }
    },
  },
  operations: { POST: { request: credentialsSchema, response: tokenSchema } },
})
