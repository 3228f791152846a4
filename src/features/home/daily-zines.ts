// The zines on the wall of the home page: chosen by chance once a day, the same for everybody. Some
// have pictures, where there are any; the others are from anywhere in the catalogue. Nothing is read
// but those that are chosen.

import { createHash } from 'node:crypto'

import type { Catalogue } from '../../catalogue/catalogue.js'
import { wholeList } from '../../catalogue/lists.js'
import { textValue } from '../../model/record/values.js'
import type { Reference, ResolvedRecord } from '../../model/record/views.js'
import type { Pictures } from '../pictures/pictures.js'

type DailyZinesDependencies = {
  readonly catalogue: Pick<Catalogue, 'count' | 'findIds' | 'readForLists' | 'keepUntilNextWrite'>
  readonly pictures: Pick<Pictures, 'withPublicPicture'>
  readonly now?: () => Date
}

export const wallSize = 20

/** At least the rest is by chance alone, so that a few pictures are not there every day. */
const mostPictured = 12

/** How old the wall may be over a store that other processes write too. */
const maxAgeMs = 1000

/**
 * The zines of the day, as lists show them: those that are public now. They are chosen again when
 * the day ends, or some of them are gone.
 */
export function createDailyZines({
  catalogue,
  pictures,
  now = () => new Date(),
}: DailyZinesDependencies): () => Promise<readonly ResolvedRecord[]> {
  let chosen: { readonly day: string; readonly zines: readonly Reference[] } | undefined

  async function read(day: string): Promise<readonly ResolvedRecord[]> {
    if (chosen?.day === day) {
      const records = await catalogue.readForLists(chosen.zines)
      if (records.length === wallSize) return records
    }
    chosen = { day, zines: await choose(day) }
    return catalogue.readForLists(chosen.zines)
  }

  async function choose(day: string): Promise<readonly Reference[]> {
    const random = numbersOf(day)
    const pictured = [...pictures.withPublicPicture('zines')].sort()
    const drawn = draw(mostPictured, pictured.length, random).flatMap((at) => pictured[at] ?? [])
    // Hidden zines have pictures, too.
    const ids = new Set((await catalogue.readForLists(drawn.map(zineOf))).map(idOf))
    for (const offset of draw(wallSize, await catalogue.count('zines', wholeList), random)) {
      if (ids.size >= wallSize) break
      const page = await catalogue.findIds('zines', wholeList, { offset, limit: 1 })
      for (const id of page.ids) ids.add(id)
    }
    const zines = [...ids].map(zineOf)
    return draw(zines.length, zines.length, random).flatMap((at) => zines[at] ?? [])
  }

  return () => {
    const day = now().toISOString().slice(0, 10)
    return catalogue.keepUntilNextWrite(`zines of ${day}`, () => read(day), { maxAgeMs })
  }
}

const zineOf = (id: string): Reference => ({ target: 'zines', id })

const idOf = ({ values }: ResolvedRecord): string => textValue(values, 'zine_id')

/** Numbers between 0 and 1 that look random and are the same for the same day. */
function numbersOf(day: string): () => number {
  let index = 0
  return () => {
    index += 1
    return createHash('sha256').update(`${day} ${index}`).digest().readUInt32BE() / 2 ** 32
  }
}

/** Different numbers below a total (Fisher-Yates, of which only what was moved is kept). */
function draw(most: number, total: number, random: () => number): readonly number[] {
  const moved = new Map<number, number>()
  return Array.from({ length: Math.min(most, total) }, (_, index) => {
    const last = total - index - 1
    const at = Math.floor(random() * (last + 1))
    const drawn = moved.get(at) ?? at
    moved.set(at, moved.get(last) ?? last)
    return drawn
  })
}
