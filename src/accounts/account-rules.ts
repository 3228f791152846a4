// Rules for account names, roles and passwords. Whether a name is taken: accounts.ts.

import { message } from '../message.js'
import { InvalidError } from '../errors.js'
import { resourceNames } from '../model/iris.js'
import type { Rights } from './rights.js'
import { isRole, roles } from './rights.js'

/** In characters. */
export const maxNameLength = 150

/** In UTF-16 units. */
export const maxPasswordLength = 4096

/** In characters, for a new password of an existing account. */
const minPasswordLength = 8

/**
 * The name in NFC. White space at either end is refused and not trimmed: the API trims the names
 * that clients send, so an account whose name has such white space could never log in.
 * @throws InvalidError
 */
export function parseAccountName(text: string): string {
  const name = text.normalize('NFC')
  if (name.trim() === '')
    throw new InvalidError(message('The name of an account may not be blank.'))
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    throw new InvalidError(message('The name of an account may not contain control characters.'))
  if (name !== name.trim())
    throw new InvalidError(message('The name of an account may not begin or end with white space.'))
  if (Array.from(name).length > maxNameLength)
    throw new InvalidError(
      message('The name of an account is too long. Use at most {count} characters.', {
        count: maxNameLength,
      }),
    )
  return name
}

/** @throws InvalidError */
export function parseRights(
  role: string,
  restrictedTo: readonly string[],
  repository?: string,
): Rights {
  if (!isRole(role))
    throw new InvalidError(`Unknown role "${role}": the roles are ${roles.join(', ')}.`)
  for (const text of restrictedTo)
    if (!(resourceNames as readonly string[]).includes(text))
      throw new InvalidError(
        `Unknown resource "${text}": the resources are ${resourceNames.join(', ')}.`,
      )
  if (restrictedTo.length > 0 && role !== 'editor')
    throw new InvalidError(message('Only an editor can be restricted to some of the resources.'))
  if (repository !== undefined)
    return {
      role,
      restrictedTo: ['holdings'],
      repository: parseRepository(role, restrictedTo, repository),
    }
  return {
    role,
    restrictedTo: resourceNames.filter((resource) => restrictedTo.includes(resource)),
    repository: undefined,
  }
}

/**
 * Whether there is such a repository is not checked: accounts are added before records too.
 * @throws InvalidError
 */
function parseRepository(
  role: string,
  restrictedTo: readonly string[],
  repository: string,
): string {
  const id = repository.normalize('NFC').trim()
  if (id === '')
    throw new InvalidError(message('The identifier of the repository may not be blank.'))
  if (role !== 'editor')
    throw new InvalidError(message('Only an editor can be bound to a repository.'))
  if (restrictedTo.some((resource) => resource !== 'holdings'))
    throw new InvalidError(message('An editor who is bound to a repository writes holdings only.'))
  return id
}

/** @throws InvalidError when no account can have this password */
export function validatePassword(password: string): void {
  if (password.trim() === '') throw new InvalidError(message('The password may not be blank.'))
  if (password.includes('\0'))
    throw new InvalidError(message('The password may not contain null characters.'))
  if (password.length > maxPasswordLength)
    throw new InvalidError(
      message('The password is too long. Use at most {count} characters.', {
        count: maxPasswordLength,
      }),
    )
}

/**
 * The rules of `validatePassword`, and the minimum length. `account add` and ADMIN_PASSWORD do not
 * check the length: scripts that were written before there was a minimum still have to work.
 * @throws InvalidError
 */
export function validateNewPassword(password: string): void {
  validatePassword(password)
  if (Array.from(password.normalize('NFC')).length < minPasswordLength)
    throw new InvalidError(
      message('The password is too short. Use at least {count} characters.', {
        count: minPasswordLength,
      }),
    )
}
