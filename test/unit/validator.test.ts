import { expect } from 'chai'
import fc from 'fast-check'
import { Store } from 'n3'

import { type ResourceName, addressesUnder, resourceNames } from '../../src/model/iris.js'
import { type Card, type Value, textOf } from '../../src/model/record/values.js'
import { clearBy } from '../../src/model/validation/compiled-shapes.js'
import { unset } from '../../src/model/resources.js'
import { engineBy } from '../../src/model/validation/validator.js'
import { referencesIn } from '../../src/model/record/views.js'
import { rdf, sh } from '../../src/rdf/namespaces.js'
import { type Quad, iri, text, triple } from '../../src/rdf/terms.js'
import { anyCard } from './record-values.js'
import { openModel } from './model.js'

const addresses = addressesUnder('https://zines.example')
const { declared, resources, lens, judge } = await openModel(addresses)
const engine = engineBy(declared.shapes, { addresses, resources, lens })

describe('the judge', () => {
  for (const name of resourceNames)
    it(`says of ${name} what the SHACL engine says`, async () => {
      const resource = resources[name]
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), async ({ card, exists }) => {
          const [said, asked] = await Promise.all(
            [judge, engine].map((one) => one.judge(resource, card, exists)),
          )
          expect(said).to.deep.equal(asked)
        }),
        { numRuns: 150 },
      )
    }).timeout(60_000)

  for (const name of resourceNames)
    it(`needs no engine for any of the ${name} that it would find nothing against`, async () => {
      const resource = resources[name]
      const isClear = clearBy(new Store([...declared.shapes]), resources)
      let cleared = 0
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), async ({ card, exists }) => {
          const thing = addresses.thing(name, textOf(card, resource.id.name))
          const { size } = await engine.judge(resource, card, exists)
          const clear = isClear(resource, thing, lens.toQuads(resource, card), exists)
          expect(clear).to.equal(size === 0)
          if (clear) cleared += 1
        }),
        { numRuns: 150 },
      )
      expect(cleared).to.be.greaterThan(5)
    }).timeout(60_000)

  it('asks the engine about a shape that it does not understand', () => {
    const shape = iri(`${addresses.shapes}#zine`)
    const more = [
      triple(shape, sh('property'), iri('x:title')),
      triple(iri('x:title'), sh('path'), iri('http://purl.org/dc/terms/title')),
      triple(iri('x:title'), sh('minLength'), text('3')),
    ]
    expect(isCleared(declared.shapes)).to.equal(true)
    expect(isCleared([...declared.shapes, ...more])).to.equal(false)
    expect(isCleared([...declared.shapes, triple(shape, sh('closed'), text('true'))])).to.equal(
      false,
    )
  })
})

function isCleared(shapes: readonly Quad[]): boolean {
  const card = { zine_id: 'z', title: 'A title', creator: ['a'], subject: ['punk'] }
  const thing = addresses.thing('zines', 'z')
  const exists = new Set([addresses.thing('agents', 'a').value])
  const quads = lens.toQuads(resources.zines, card)
  expect(quads.some(({ predicate }) => predicate.equals(rdf('type')))).to.equal(true)
  return clearBy(new Store([...shapes]), resources)(resources.zines, thing, quads, exists)
}

type Attempt = { readonly card: Card; readonly exists: ReadonlySet<string> }

/** A card that a client may send, right or wrong in some fields, and which of those it names there are. */
function anyAttempt(name: ResourceName): fc.Arbitrary<Attempt> {
  const { fields } = resources[name]
  const wrong = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 100, maxLength: 600 }),
    fc.constantFrom('.', '..', 'a\u0007b', 'Q1', 'https://ror.org/x', 'DE-1', 'US', 'punk', '😀'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  const changed = fc.record({ field: fc.constantFrom(...fields), wrong, clears: fc.boolean() })
  // Most codes and references of most cards are right, or nothing would ever be cleared.
  const card = anyCard(resources, name).map((card): Card =>
    Object.fromEntries(
      fields.map((field): [string, Value] => {
        const value = card[field.name] ?? unset(field)
        const codes = field.vocabulary?.entries.map(({ code }) => code) ?? []
        const isOf = (code: string): boolean => codes.includes(code)
        if (field.prefix) return [field.name, 'Q1']
        if (field.name === 'orcid') return [field.name, 'https://orcid.org/0000-0002-1825-0097']
        if (field.name === 'ror' || field.name === 'isil') return [field.name, unset(field)]
        if (field.kind === 'integer') return [field.name, Math.abs(Number(value))]
        if (codes.length === 0) return [field.name, value]
        if (Array.isArray(value)) {
          const known = (value as string[]).filter(isOf)
          return [field.name, known.length > 0 ? known : codes.slice(0, 1)]
        }
        return [field.name, isOf(String(value)) ? value : (codes[0] ?? '')]
      }),
    ),
  )
  return fc
    .record({ card, changes: fc.array(changed, { maxLength: 2 }), absent: fc.nat({ max: 9 }) })
    .map(({ card, changes, absent }) => {
      const changedCard: Record<string, Value> = { ...card }
      for (const { field, wrong, clears } of changes) {
        if (field.kind === 'integer') changedCard[field.name] = clears ? null : -1
        else if (field.kind === 'boolean' || field.kind === 'time') continue
        else if (clears) changedCard[field.name] = unset(field)
        else if (wrong.trim() !== '' && wrong.isWellFormed())
          changedCard[field.name] = field.many ? [wrong, ...Array.from(wrong)] : wrong
      }
      const named = fields.flatMap((field) => referencesIn(field, changedCard))
      const there = absent === 0 ? named.slice(1) : named
      const exists = there.map(({ target, id }) => addresses.thing(target, id).value)
      return { card: changedCard, exists: new Set(exists) }
    })
}
