// Shows how a text changed, word by word.

import { diffWordsWithSpace } from 'diff'

/**
 * Texts that differ more are shown one after the other: a hundred words in place of others. A page
 * has a hundred such texts, and nothing else is answered meanwhile. This much takes some milliseconds,
 * ten times as much takes fifty times as long.
 */
const limits = { maxEditLength: 200 }

/** The longest texts that are compared, in characters of both. */
const maxLength = 20_000

export const TextDifference = ({
  before,
  after,
}: {
  readonly before: string
  readonly after: string
}) => {
  const parts =
    before.length + after.length <= maxLength
      ? diffWordsWithSpace(before, after, limits)
      : undefined
  if (!parts)
    return (
      <span class="difference" dir="auto">
        <del>{before}</del> <ins>{after}</ins>
      </span>
    )
  return (
    <span class="difference" dir="auto">
      {parts.map(({ value, added, removed }, index) => {
        if (added) return <ins key={index}>{value}</ins>
        return removed ? <del key={index}>{value}</del> : value
      })}
    </span>
  )
}
