// The endpoint that exchanges a name and a password for a token (docs/api.md, "Accounts and
// rights"). Passwords are checked by accounts/accounts.ts.

import type { Message } from '../../message.js'
import type { Accounts } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import {
  ValidationError,
  blankMessage,
  nullCharactersMessage,
  readString,
  requiredMessage,
} from '../../model/record/input.js'
import type { Endpoint } from '../../http/endpoint.js'
import { readBody } from '../../http/request/body.js'

export const tokenEndpoint = (accounts: Accounts): Endpoint => ({
  path: '/api/auth/token/',
  name: 'Obtain Auth Token',
  description: 'Gives the token of an account for its name and password.',
  formats: [json],
  anonymousWrite: true,
  // accounts/login-throttle.ts limits failed logins, and accounts.ts those under way.
  limitsAnonymousPost: true,
  methods: {
    async POST(ctx) {
      const { username, password } = readCredentials(await readBody(ctx))
      const token = await accounts.login(username.trim(), password, ctx.ip)
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { token }
    },
  },
})

/** @throws ValidationError for what is missing, blank or not a string */
function readCredentials(body: ReadonlyMap<string, unknown>) {
  const failures = new Map<string, Message[]>()
  const read = (name: string): string => {
    if (!body.has(name)) {
      failures.set(name, [requiredMessage])
      return ''
    }
    const { value, messages } = readString(body.get(name))
    if (messages.length > 0) failures.set(name, messages)
    else if (value.trim() === '') failures.set(name, [blankMessage])
    else if (value.includes('\0')) failures.set(name, [nullCharactersMessage])
    return value
  }
  const credentials = { username: read('username'), password: read('password') }
  if (failures.size > 0) throw new ValidationError(failures)
  return credentials
}
