import { expect } from 'chai'
import fc from 'fast-check'

import { Occurrences, placeOf } from '../../../src/lib/text-index/occurrences.js'
import { forEachPhrase } from '../../../src/lib/text-index/phrases.js'
import { createStems, oneStem } from '../../../src/lib/text-index/stems.js'
import { collectInSteps } from '../../../src/lib/scheduling.js'

const docCount = 6
const stemCount = 4

/** Records, each with the stems of two fields one after the other. */
const anyTexts = fc.array(
  fc.record({
    doc: fc.nat(docCount - 1),
    stems: fc.array(fc.nat(stemCount - 1), { maxLength: 12 }),
    field: fc.nat(1),
  }),
  { maxLength: 12 },
)

describe('words that follow each other', () => {
  it('are found at each place where they do, whatever was written since the last compaction', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTexts,
        anyTexts,
        fc.array(fc.nat(stemCount - 1), { minLength: 2, maxLength: 4 }),
        async (loaded, written, sequence) => {
          const occurrences = new Occurrences()
          const texts = new Map<string, number[]>()
          const add = ({ doc, field, stems }: (typeof loaded)[number]): void => {
            const own = texts.get(`${doc} ${field}`) ?? []
            texts.set(`${doc} ${field}`, own)
            for (const stem of stems) occurrences.add(stem, doc, placeOf(field, own.push(stem) - 1))
            // Nothing goes from one text to the next.
            own.push(-1)
          }
          loaded.forEach(add)
          await collectInSteps(
            occurrences.compact(
              () => stemCount,
              () => true,
            ),
          )
          written.forEach(add)
          const found: string[] = []
          forEachPhrase(occurrences, sequence.map(oneStem), (doc, place) =>
            found.push(`${doc} ${place}`),
          )
          const expected = [...texts].flatMap(([key, own]) => {
            const [doc = 0, field = 0] = key.split(' ').map(Number)
            return own.flatMap((_, start) =>
              sequence.every((stem, offset) => own[start + offset] === stem)
                ? [`${doc} ${placeOf(field, start)}`]
                : [],
            )
          })
          expect(found.sort()).to.deep.equal(expected.sort())
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are found in the first record when some of its words stand before', async () => {
    const occurrences = new Occurrences()
    await collectInSteps(
      occurrences.compact(
        () => 2,
        () => true,
      ),
    )
    // "b a a b", and words in another field: "b" is rarer, and not each "b" can be the third word.
    const words = [1, 0, 0, 1]
    words.forEach((stem, position) => occurrences.add(stem, 0, placeOf(1, position)))
    for (const [stem, position] of [
      [1, 0],
      [0, 2],
      [0, 4],
    ] as const)
      occurrences.add(stem, 0, placeOf(0, position))
    const places: number[] = []
    forEachPhrase(occurrences, [0, 0, 1].map(oneStem), (_, place) => places.push(place))
    expect(places).to.deep.equal([placeOf(1, 1)])
  })

  it('match as well as the worst of them', async () => {
    const occurrences = new Occurrences()
    occurrences.add(0, 0, placeOf(0, 0))
    occurrences.add(1, 0, placeOf(0, 1))
    const either = createStems(3)
    either.add(1, 0.5)
    either.add(2, 1)
    const shares: number[] = []
    // What is added before the first compaction is only found after it.
    await collectInSteps(
      occurrences.compact(
        () => 3,
        () => true,
      ),
    )
    forEachPhrase(occurrences, [oneStem(0), either], (_doc, _place, share) => shares.push(share))
    expect(shares).to.deep.equal([0.5])
  })
})
