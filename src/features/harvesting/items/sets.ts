// The sets of harvesters: one of each kind of record, and below `repository`, `language` and
// `genre` one of each repository and code. Names of sets have few characters (OAI-PMH 2.0, 2.6), so
// others are encoded.

import type { ResourceName } from '../../../model/iris.js'

/** The sets that have others below them. */
export const parentSets = ['repository', 'language', 'genre'] as const

export type ParentSet = (typeof parentSets)[number]

/** The set of a kind. */
export const kindSet = (kind: ResourceName): string => kind

/** The set of a repository or a code. */
export const setOf = (parent: ParentSet, id: string): string => `${parent}:${encodeSetPart(id)}`

/** Whether a set is this one or below it. */
export const isWithinSet = (set: string, other: string): boolean =>
  set === other || set.startsWith(`${other}:`)

/** Characters are percent-encoded with `!` in place of `%`, which sets must not contain. */
const encodeSetPart = (text: string): string =>
  encodeURIComponent(text).replaceAll('!', '%21').replaceAll('%', '!')

/** The identifier or code in the last part of a set; undefined where it is none. */
export function idOfSet(set: string): string | undefined {
  try {
    return decodeURIComponent(set.slice(set.indexOf(':') + 1).replaceAll('!', '%'))
  } catch {
    return undefined
  }
}
