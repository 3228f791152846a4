import toNT from '@rdfjs/to-ntriples'
import { expect } from 'chai'
import fc from 'fast-check'
import { Store } from 'n3'

import { type ResourceName, createIris, resourceNames } from '../../src/model/iris.js'
import { type RecordValues, type FieldValue, textValue } from '../../src/model/record/values.js'
import { compileShapes, objectsIn } from '../../src/model/validation/compiled-shapes.js'
import { unsetValue } from '../../src/model/resources.js'
import { createShaclValidator } from '../../src/model/validation/validator.js'
import { referencesOfField } from '../../src/model/record/views.js'
import { rdf, sh } from '../../src/rdf/namespaces.js'
import { type Quad, type Term, iri, stringLiteral, triple } from '../../src/rdf/terms.js'
import { anyRecordValues } from './record-values.js'
import { openModel } from './model.js'

const iris = createIris('https://zines.example')
const { declared, resources, mapper, validator } = await openModel(iris)
const engine = createShaclValidator(declared.shapes, { iris, resources, mapper })

describe('the validator', () => {
  for (const name of resourceNames)
    it(`reports the same errors of ${name} as the SHACL engine`, async () => {
      const resource = resources[name]
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), async ({ values, existing }) => {
          const [reported, expected] = await Promise.all(
            [validator, engine].map((one) => one.validate(resource, values, existing)),
          )
          expect(reported).to.deep.equal(expected)
        }),
        { numRuns: 150 },
      )
    })

  for (const name of resourceNames)
    it(`accepts all valid ${name} without the SHACL engine`, async () => {
      const resource = resources[name]
      const conformsForSure = compileShapes(new Store([...declared.shapes]), resources)
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), async ({ values, existing }) => {
          const thing = iris.thing(name, textValue(values, resource.id.name))
          const { size } = await engine.validate(resource, values, existing)
          const objectsOf = objectsIn(mapper.toQuads(resource, values), thing)
          const conforms = conformsForSure(resource, objectsOf, existing)
          expect(conforms).to.equal(size === 0)
          if (conforms) accepted += 1
        }),
        { numRuns: 150 },
      )
      expect(accepted).to.be.greaterThan(5)
    })

  for (const name of resourceNames)
    it(`finds the objects of each field of ${name} without quads`, () => {
      const resource = resources[name]
      fc.assert(
        fc.property(anyAttempt(name), ({ values }) => {
          const thing = iris.thing(name, textValue(values, resource.id.name))
          const inQuads = objectsIn(mapper.toQuads(resource, values), thing)
          for (const field of resource.inputFields) {
            if (field.derivedPrefixes) continue
            const path = field.path.map(({ value }) => value)
            expect(writtenTerms(mapper.objectsOf(field, values))).to.deep.equal(
              writtenTerms(inQuads(field.name, path)),
            )
          }
        }),
        { numRuns: 150 },
      )
    })

  for (const name of resourceNames)
    it(`judges some fields of ${name} alone as the SHACL engine judges them in the record`, async () => {
      const resource = resources[name]
      const conformsForSure = compileShapes(new Store([...declared.shapes]), resources)
      const names = resource.inputFields.map((field) => field.name)
      const anySent = fc.subarray(names, { minLength: 1, maxLength: 4 })
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(anyAttempt(name), anySent, async ({ values, existing }, sent) => {
          const only = new Set(sent)
          const thing = iris.thing(name, textValue(values, resource.id.name))
          const ofSent = (errors: ReadonlyMap<string, unknown>) =>
            [...errors].filter(([field]) => only.has(field))
          const expected = ofSent(await engine.validate(resource, values, existing))
          const objectsOf = objectsIn(mapper.toQuads(resource, values), thing)
          const conforms = conformsForSure(resource, objectsOf, existing, only)
          expect(conforms).to.equal(expected.length === 0)
          const reported = ofSent(await validator.validate(resource, values, existing, only))
          expect(reported).to.deep.equal(expected)
          if (conforms) accepted += 1
        }),
        { numRuns: 100 },
      )
      expect(accepted).to.be.greaterThan(5)
    })

  // Eighteen lists of a thousand unknown codes held up every other request for a second.
  it('lets other work run while it validates long lists of an invalid record', async () => {
    let turns = 0
    const countTurn = (): void => {
      turns += 1
      next = setImmediate(countTurn)
    }
    let next = setImmediate(countTurn)
    const unknown = Array.from({ length: 1000 }, (_, index) => `unknown-${index}`)
    const lists = resources.zines.inputFields.filter(({ repeatable }) => repeatable)
    const values = Object.fromEntries(lists.map(({ name }) => [name, unknown]))
    const errors = await validator.validate(resources.zines, { zine_id: 'z', ...values }, new Set())
    clearImmediate(next)
    expect(errors.size).to.be.above(3)
    // The work of a second in steps of a hundredth.
    expect(turns).to.be.above(20)
  })

  it('uses the SHACL engine for a shape that cannot be compiled', () => {
    const shape = iri(`${iris.shapes}#zine`)
    const more = [
      triple(shape, sh('property'), iri('x:title')),
      triple(iri('x:title'), sh('path'), iri('http://purl.org/dc/terms/title')),
      triple(iri('x:title'), sh('minLength'), stringLiteral('3')),
    ]
    expect(conformsWith(declared.shapes)).to.equal(true)
    expect(conformsWith([...declared.shapes, ...more])).to.equal(false)
    expect(
      conformsWith([...declared.shapes, triple(shape, sh('closed'), stringLiteral('true'))]),
    ).to.equal(false)
  })
})

function conformsWith(shapes: readonly Quad[]): boolean {
  const values = { zine_id: 'z', title: 'A title', creator: ['a'], subject: ['punk'] }
  const thing = iris.thing('zines', 'z')
  const existing = new Set([iris.thing('agents', 'a').value])
  const quads = mapper.toQuads(resources.zines, values)
  expect(quads.some(({ predicate }) => predicate.equals(rdf('type')))).to.equal(true)
  const conformsForSure = compileShapes(new Store([...shapes]), resources)
  return conformsForSure(resources.zines, objectsIn(quads, thing), existing)
}

const writtenTerms = (terms: readonly Term[]): string[] => terms.map((term) => toNT(term))

type Attempt = { readonly values: RecordValues; readonly existing: ReadonlySet<string> }

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
  const values = anyRecordValues(resources, name).map((values): RecordValues =>
    Object.fromEntries(
      fields.map((field): [string, FieldValue] => {
        const value = values[field.name] ?? unsetValue(field)
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
    .record({ values, changes: fc.array(changed, { maxLength: 2 }), absent: fc.nat({ max: 9 }) })
    .map(({ values, changes, absent }) => {
      const changedValues: Record<string, FieldValue> = { ...values }
      for (const { field, wrong, clears } of changes) {
        if (field.kind === 'integer') changedValues[field.name] = clears ? null : -1
        else if (field.kind === 'boolean' || field.kind === 'time') continue
        else if (clears) changedValues[field.name] = unsetValue(field)
        else if (wrong.trim() !== '' && wrong.isWellFormed())
          changedValues[field.name] = field.repeatable ? [wrong, ...Array.from(wrong)] : wrong
      }
      const references = fields.flatMap((field) => referencesOfField(field, changedValues))
      const found = absent === 0 ? references.slice(1) : references
      const existing = found.map(({ target, id }) => iris.thing(target, id).value)
      return { values: changedValues, existing: new Set(existing) }
    })
}
