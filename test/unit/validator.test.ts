import { expect } from 'chai'
import fc from 'fast-check'
import { Store } from 'n3'

import { type ResourceName, createIris, resourceNames } from '../../src/model/iris.js'
import { type RecordValues, type FieldValue, textValue } from '../../src/model/record/values.js'
import { compileShapes } from '../../src/model/validation/compiled-shapes.js'
import { unsetValue } from '../../src/model/resources.js'
import { createShaclValidator } from '../../src/model/validation/validator.js'
import { referencesOfField } from '../../src/model/record/views.js'
import { rdf, sh } from '../../src/rdf/namespaces.js'
import { type Quad, iri, stringLiteral, triple } from '../../src/rdf/terms.js'
import { anyRecordValues } from './record-values.js'
import { openModel } from './model.js'

const iris = createIris('https://zines.example')
const { declared, resources, mapper, validator } = await openModel(iris)
const engine = createShaclValidator(declared.shapes, { iris, resources, mapper })

describe('the judge', () => {
  for (const name of resourceNames)
    it(`says of ${name} what the SHACL engine says`, async () => {
      const resource = resources[name]
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), async ({ card, exists }) => {
          const [said, asked] = await Promise.all(
            [validator, engine].map((one) => one.validate(resource, card, exists)),
          )
          expect(said).to.deep.equal(asked)
        }),
        { numRuns: 150 },
      )
    }).timeout(60_000)

  for (const name of resourceNames)
    it(`needs no engine for any of the ${name} that it would find nothing against`, async () => {
      const resource = resources[name]
      const isClear = compileShapes(new Store([...declared.shapes]), resources)
      let cleared = 0
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), async ({ card, exists }) => {
          const thing = iris.thing(name, textValue(card, resource.id.name))
          const { size } = await engine.validate(resource, card, exists)
          const clear = isClear(resource, thing, mapper.toQuads(resource, card), exists)
          expect(clear).to.equal(size === 0)
          if (clear) cleared += 1
        }),
        { numRuns: 150 },
      )
      expect(cleared).to.be.greaterThan(5)
    }).timeout(60_000)

  it('asks the engine about a shape that it does not understand', () => {
    const shape = iri(`${iris.shapes}#zine`)
    const more = [
      triple(shape, sh('property'), iri('x:title')),
      triple(iri('x:title'), sh('path'), iri('http://purl.org/dc/terms/title')),
      triple(iri('x:title'), sh('minLength'), stringLiteral('3')),
    ]
    expect(isCleared(declared.shapes)).to.equal(true)
    expect(isCleared([...declared.shapes, ...more])).to.equal(false)
    expect(
      isCleared([...declared.shapes, triple(shape, sh('closed'), stringLiteral('true'))]),
    ).to.equal(false)
  })
})

function isCleared(shapes: readonly Quad[]): boolean {
  const card = { zine_id: 'z', title: 'A title', creator: ['a'], subject: ['punk'] }
  const thing = iris.thing('zines', 'z')
  const exists = new Set([iris.thing('agents', 'a').value])
  const quads = mapper.toQuads(resources.zines, card)
  expect(quads.some(({ predicate }) => predicate.equals(rdf('type')))).to.equal(true)
  return compileShapes(new Store([...shapes]), resources)(resources.zines, thing, quads, exists)
}

type Attempt = { readonly card: RecordValues; readonly exists: ReadonlySet<string> }

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
  const card = anyRecordValues(resources, name).map((card): RecordValues =>
    Object.fromEntries(
      fields.map((field): [string, FieldValue] => {
        const value = card[field.name] ?? unsetValue(field)
        const codes = field.vocabulary?.entries.map(({ code }) => code) ?? []
        const isOf = (code: string): boolean => codes.includes(code)
        if (field.prefix) return [field.name, 'Q1']
        if (field.name === 'orcid') return [field.name, 'https://orcid.org/0000-0002-1825-0097']
        if (field.name === 'ror' || field.name === 'isil') return [field.name, unsetValue(field)]
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
      const changedCard: Record<string, FieldValue> = { ...card }
      for (const { field, wrong, clears } of changes) {
        if (field.kind === 'integer') changedCard[field.name] = clears ? null : -1
        else if (field.kind === 'boolean' || field.kind === 'time') continue
        else if (clears) changedCard[field.name] = unsetValue(field)
        else if (wrong.trim() !== '' && wrong.isWellFormed())
          changedCard[field.name] = field.repeatable ? [wrong, ...Array.from(wrong)] : wrong
      }
      const named = fields.flatMap((field) => referencesOfField(field, changedCard))
      const there = absent === 0 ? named.slice(1) : named
      const exists = there.map(({ target, id }) => iris.thing(target, id).value)
      return { card: changedCard, exists: new Set(exists) }
    })
}
