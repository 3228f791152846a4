// The errors of accounts and logins. Which HTTP status each of them gets:
// http/response/http-errors.ts.
import { ExpectedError } from '../errors.js'

/** An account cannot be added or changed; the message says why, in one sentence. */
export class AccountError extends ExpectedError {}

/** Name and password do not belong together, or the account is disabled. */
export class CredentialsError extends Error {
  constructor() {
    super('Unable to log in with provided credentials.')
  }
}

/** As many logins are running as the service runs at once. */
export class LoginBusyError extends Error {
  constructor() {
    super('Too many logins at once.')
  }
}

/** Too many logins failed for this name, or from this network; no more are tried for a while. */
export class LoginThrottledError extends Error {
  constructor(readonly seconds: number) {
    super(`Too many failed logins. Try again in ${formatMinutes(seconds)}.`)
  }
}

/** No account has this token. */
export class InvalidTokenError extends Error {
  constructor() {
    super('Invalid token.')
  }
}

/** The account with this token is disabled. */
export class AccountDisabledError extends Error {
  constructor() {
    super('User inactive or deleted.')
  }
}

/** The link of an invitation does not work, or not any more. */
export class InvitationError extends ExpectedError {
  constructor(readonly reason: 'unknown' | 'used' | 'expired') {
    super(invitationMessages[reason])
  }
}

const invitationMessages = {
  unknown: 'There is no such invitation. Look whether the whole address was opened.',
  used: 'This invitation was used already. Sign in with the password that was chosen then.',
  expired: 'This invitation has expired. Ask an administrator for another one.',
} as const

function formatMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
