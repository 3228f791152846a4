// Private fields of an agent whose values are easily found in any answer, for tests of privacy.

import { randomBytes } from 'node:crypto'

import { expect } from 'chai'

export const SECRETS = {
  legal_name: 'Xanthippe Quirrell',
  email: 'xq@secret.example',
  phone: '+99 1 ext. xqphone',
}
export const KEYS = Object.keys(SECRETS)
const SECRET_WORDS = ['Xanthippe', 'xanthippe', 'Quirrell', 'secret.example', 'xqphone']

export function expectNoMark(text: string): void {
  for (const word of SECRET_WORDS) expect(text).not.to.include(word)
}

/** Private fields that each contain the mark. The mark has to be found in any case and encoding. */
export const marked = (mark: string) => ({
  legal_name: `Legal ${mark} Name`,
  email: `${mark}@mark.example`,
  phone: `+99 ${mark}`,
})

/** A random mark of letters and digits, so that no format has to escape it. */
export const newMark = (): string => `qx${randomBytes(8).toString('hex')}`
