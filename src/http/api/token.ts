// Name and password for a token (specification: Authentication, 3 and 4).

import type { Accounts } from '../../accounts/accounts.js'
import {
  ValidationError,
  blankMessage,
  requiredMessage,
  readString,
} from '../../model/record/input.js'
import { readBody } from '../request/body.js'
import type { Endpoint } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'

export const tokenEndpoint = (accounts: Accounts): Endpoint => ({
  path: '/api/auth/token/',
  name: 'Obtain Auth Token',
  description: 'Gives the token of an account for its name and password.',
  formats: [json],
  anonymousWrite: true,
  methods: {
    async POST(ctx) {
      const { username, password } = readCredentials(await readBody(ctx))
      const token = await accounts.login(username.trim(), password, ctx.ip)
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { token }
    },
  },
})

/** @throws Invalid with what is missing, blank or no string */
function readCredentials(body: ReadonlyMap<string, unknown>) {
  const failures = new Map<string, string[]>()
  const read = (name: string): string => {
    if (!body.has(name)) {
      failures.set(name, [requiredMessage])
      return ''
    }
    const { value, messages } = readString(body.get(name))
    if (messages.length > 0) failures.set(name, messages)
    else if (value.trim() === '') failures.set(name, [blankMessage])
    return value
  }
  const credentials = { username: read('username'), password: read('password') }
  if (failures.size > 0) throw new ValidationError(failures)
  return credentials
}
