// What goes wrong with accounts, a class for each kind. Which status each gets is the counter's business.

import { ExpectedError } from '../errors.js'

/** An account cannot be added or changed as asked; the message says why, in one sentence. */
export class AccountError extends ExpectedError {}

/** Name and password do not belong together, or belong to a disabled account. */
export class CredentialsError extends Error {
  constructor() {
    super('Unable to log in with provided credentials.')
  }
}

/** So many are logging in that one more would only make all of them wait longer. */
export class LoginBusyError extends Error {
  constructor() {
    super('Too many logins at once.')
  }
}

/** For this name, or from this address, so many logins failed that no more are tried for a while. */
export class LoginThrottledError extends Error {
  constructor(readonly seconds: number) {
    super(`Too many failed logins. Try again in ${waitOf(seconds)}.`)
  }
}

/** The token is nobody's. */
export class InvalidTokenError extends Error {
  constructor() {
    super('Invalid token.')
  }
}

/** The token is that of a disabled account. */
export class AccountDisabledError extends Error {
  constructor() {
    super('User inactive or deleted.')
  }
}

function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
