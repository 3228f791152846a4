// What an account may be called, what rights there are to be given, and which passwords are taken.

import { AccountRefused } from './errors.js'
import type { Rights } from './rights.js'
import { isResource, isRole, resources, roles } from './rights.js'

/** No name has more characters, no password more UTF-16 units. */
export const maxName = 150
export const maxPassword = 4096

/** The fewest characters of a password that somebody chooses for an account that is there. */
export const minPassword = 8

/**
 * The name in NFC. White space at either end is refused, not cut off: the counter cuts it off what
 * clients send, and an account whose name has it could never log in.
 * @throws AccountRefused
 */
export function readName(text: string): string {
  const name = text.normalize('NFC')
  if (name.trim() === '') throw new AccountRefused('The name of an account may not be blank.')
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    throw new AccountRefused('The name of an account may not contain control characters.')
  if (name !== name.trim())
    throw new AccountRefused('The name of an account may not begin or end with white space.')
  if (Array.from(name).length > maxName)
    throw new AccountRefused(`The name of an account has at most ${maxName} characters.`)
  return name
}

/** @throws AccountRefused */
export function readRights(role: string, only: readonly string[]): Rights {
  if (!isRole(role))
    throw new AccountRefused(`Unknown role "${role}": the roles are ${roles.join(', ')}.`)
  for (const text of only)
    if (!isResource(text))
      throw new AccountRefused(
        `Unknown resource "${text}": the resources are ${resources.join(', ')}.`,
      )
  if (only.length > 0 && role !== 'editor')
    throw new AccountRefused('Only an editor can be limited to some of the resources.')
  return { role, only: resources.filter((resource) => only.includes(resource)) }
}

/** @throws AccountRefused when no account can have this password */
export function checkPassword(password: string): void {
  if (password.trim() === '') throw new AccountRefused('The password may not be blank.')
  if (password.length > maxPassword)
    throw new AccountRefused(`The password has at most ${maxPassword} characters.`)
}

/**
 * What is asked of a password beyond that, except by `account add` and ADMIN_PASSWORD: what scripts
 * set up with those before there was a minimum still has to work.
 * @throws AccountRefused
 */
export function refuseShort(password: string): void {
  checkPassword(password)
  if (Array.from(password.normalize('NFC')).length < minPassword)
    throw new AccountRefused(`The password has at least ${minPassword} characters.`)
}
