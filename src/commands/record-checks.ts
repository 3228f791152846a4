// What the doctor checks of a record: that its quads are those of its values, and that the values
// follow the shapes. Whether the records exist that it refers to is found out by doctor.ts.

import type { Iris } from '../model/iris.js'
import { formatMessages } from '../model/record/input.js'
import { type RdfMapper, toStatements } from '../model/record/rdf-mapper.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import { type Reference, referencesOfField } from '../model/record/views.js'
import type { Resource, Resources } from '../model/resources.js'
import type { Validator } from '../model/validation/validator.js'
import { type Quad, writeNQuads } from '../rdf/terms.js'

/** What records are checked against. */
export type DoctorModel = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly validator: Validator
}

export type Report = (what: string, field?: string, level?: 'error' | 'note') => void

export type StoredRecord = {
  readonly resource: Resource
  /** That of the key. */
  readonly id: string
  readonly quads: readonly Quad[]
}

/** @returns what the record refers to, with the names of the fields */
export async function checkRecord(
  model: DoctorModel,
  record: StoredRecord,
  report: Report,
): Promise<readonly (readonly [field: string, reference: Reference])[]> {
  const { resource, id, quads } = record
  const values = model.mapper.fromStatements(resource, id, toStatements(quads))
  const references = resource.inputFields.flatMap((field) =>
    referencesOfField(field, values).map((reference) => [field.name, reference] as const),
  )
  checkQuads(model, record, values, report)
  const exists = new Set(references.map(([, { target, id }]) => model.iris.thing(target, id).value))
  for (const [field, messages] of await model.validator.validate(resource, values, exists))
    for (const message of formatMessages(messages)) report(String(message), field)
  checkTimes(resource, values, report)
  return references
}

/** The quads have to be exactly those that the mapper makes of the values. */
function checkQuads(
  { mapper, iris }: DoctorModel,
  { resource, id, quads }: StoredRecord,
  values: RecordValues,
  report: Report,
): void {
  const storedId = textValue(values, resource.id.name)
  if (storedId !== id)
    report(
      `is ${JSON.stringify(storedId)}, which is not the identifier in the key`,
      resource.id.name,
    )
  // The graph counts too: a quad in the wrong graph is reported here and in the loop below.
  const missing = new Map(
    mapper
      .toQuads(resource, { ...values, [resource.id.name]: id })
      .map((quad) => [formatQuad(quad), quad]),
  )
  for (const quad of quads) {
    const line = formatQuad(quad)
    if (missing.delete(line)) continue
    const isPrivate = quad.graph.equals(iris.graphs.private)
    report(`${isPrivate ? 'should not be in the private graph' : 'belongs to no field'}: ${line}`)
  }
  // The release that wrote the record may have derived other triples from it.
  const thing = iris.thing(resource.name, id)
  const derived = resource
    .derive(values, thing, iris)
    .map(({ predicate, object }) => `${predicate.value} ${object.value}`)
  for (const [line, { predicate, object }] of missing)
    if (derived.includes(`${predicate.value} ${object.value}`))
      report(
        `is a derived triple that older releases did not write: ${line}; saving the record adds it`,
        undefined,
        'note',
      )
    else report(`is missing: ${line}`)
}

const formatQuad = (quad: Quad): string => writeNQuads([quad]).trimEnd()

function checkTimes(resource: Resource, values: RecordValues, report: Report): void {
  for (const { name } of resource.fields.filter(({ kind }) => kind === 'time'))
    if (!isTime.test(textValue(values, name))) report('is not a time', name)
  if (textValue(values, 'updated_at') < textValue(values, 'created_at'))
    report('is before created_at', 'updated_at')
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
