// The log of changes in pages of a fixed size, counted by the numbers of the changes: a page that
// is full never changes.

import { ChangesForgottenError, noSuchPage } from '../../catalogue/errors.js'
import type {
  ChangeFeed,
  PublicChange,
  PublicRecordChange,
} from '../../catalogue/history/change-feed.js'
import type { RequestContext } from '../../http/context.js'

/** How many changes a full page has. */
export const changesPerPage = 100

export type NumberedPage = {
  /** From 1. */
  readonly number: number
  /** Less than a full page where the oldest of them are not kept, or identifiers were forgotten. */
  readonly changes: readonly PublicRecordChange[]
  readonly isFull: boolean
}

/** The page that has, or will have, the change with a number from 1. */
export const pageOfChange = (sequence: number): number =>
  Math.max(1, Math.ceil(sequence / changesPerPage))

export const firstPage = (changes: ChangeFeed): number => pageOfChange(changes.first())

/** The page that the next change will be on may be asked for too, and is empty then. */
const nextChangePage = (changes: ChangeFeed): number => pageOfChange(changes.last() + 1)

/**
 * The page in the path of a request.
 * @throws NotFoundError, ChangesForgottenError
 */
export async function readNumberedPage(
  ctx: RequestContext,
  changes: ChangeFeed,
): Promise<NumberedPage> {
  const text = ctx.params.page ?? ''
  const number = Number(text)
  if (!/^[1-9]\d*$/.test(text) || number > nextChangePage(changes)) throw noSuchPage()
  const first = changes.first()
  if (number < firstPage(changes)) throw new ChangesForgottenError(first)
  const end = number * changesPerPage
  const isFull = changes.last() >= end
  const since = Math.max(end - changesPerPage, first - 1)
  const page = await changes.read({ since, kind: undefined, limit: end - since })
  return { number, changes: page.changes.filter(isOfRecord), isFull }
}

// Neither IIIF Change Discovery nor LDES has a change of a thing without an IRI.
const isOfRecord = (change: PublicChange): change is PublicRecordChange =>
  change.change !== 'forgotten'
