// The refusals of logins. Metrics count them by their classes.

import { message } from '../message.js'
import { InvalidError, ThrottledError, UnavailableError } from '../errors.js'

/** Name and password do not belong together, or the account is disabled. */
export class CredentialsError extends InvalidError {
  constructor() {
    super('Unable to log in with provided credentials.', { field: 'non_field_errors' })
  }
}

/** As many logins are running as the service runs at once. */
export class LoginBusyError extends UnavailableError {
  constructor() {
    super(message('Too many logins at once.'), 5)
  }
}

/** Too many logins failed for this name, or from this network; no more are tried for a while. */
export class LoginThrottledError extends ThrottledError {}
