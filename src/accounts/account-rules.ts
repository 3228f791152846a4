// What an account may be called, what rights there are to be given, and which passwords are taken.

import { AccountError } from './errors.js'
import type { Rights } from './rights.js'
import { isResource, isRole, resources, roles } from './rights.js'

/** No name has more characters, no password more UTF-16 units. */
export const maxNameLength = 150
export const maxPasswordLength = 4096

/** The fewest characters of a password that somebody chooses for an account that is there. */
export const minPasswordLength = 8

/**
 * The name in NFC. White space at either end is refused, not cut off: the counter cuts it off what
 * clients send, and an account whose name has it could never log in.
 * @throws AccountRefused
 */
export function parseAccountName(text: string): string {
  const name = text.normalize('NFC')
  if (name.trim() === '') throw new AccountError('The name of an account may not be blank.')
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    throw new AccountError('The name of an account may not contain control characters.')
  if (name !== name.trim())
    throw new AccountError('The name of an account may not begin or end with white space.')
  if (Array.from(name).length > maxNameLength)
    throw new AccountError(`The name of an account has at most ${maxNameLength} characters.`)
  return name
}

/** @throws AccountRefused */
export function parseRights(role: string, only: readonly string[]): Rights {
  if (!isRole(role))
    throw new AccountError(`Unknown role "${role}": the roles are ${roles.join(', ')}.`)
  for (const text of only)
    if (!isResource(text))
      throw new AccountError(
        `Unknown resource "${text}": the resources are ${resources.join(', ')}.`,
      )
  if (only.length > 0 && role !== 'editor')
    throw new AccountError('Only an editor can be limited to some of the resources.')
  return { role, only: resources.filter((resource) => only.includes(resource)) }
}

/** @throws AccountRefused when no account can have this password */
export function validatePassword(password: string): void {
  if (password.trim() === '') throw new AccountError('The password may not be blank.')
  if (password.length > maxPasswordLength)
    throw new AccountError(`The password has at most ${maxPasswordLength} characters.`)
}

/**
 * What is asked of a password beyond that, except by `account add` and ADMIN_PASSWORD: what scripts
 * set up with those before there was a minimum still has to work.
 * @throws AccountRefused
 */
export function validateNewPassword(password: string): void {
  validatePassword(password)
  if (Array.from(password.normalize('NFC')).length < minPasswordLength)
    throw new AccountError(`The password has at least ${minPasswordLength} characters.`)
}
