// Where a name still is, as far as pages can show it: the texts of a record, of other records, of
// pictures, and what the history has. Nothing of a search is kept.

import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { Redirects } from '../../catalogue/redirects.js'
import { fieldsReferringTo } from '../../catalogue/writes/record-state.js'
import { isNameInIdentifier } from '../../lib/names/name-in-identifier.js'
import { resourceNames } from '../../model/iris.js'
import type { FieldValue, RecordValues } from '../../model/record/values.js'
import { type Reference, type ResolvedRecord, referenceTo } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { TextRemoval } from '../../model/text-removal.js'
import type { Picture } from '../pictures/picture.js'
import { isPictured } from '../pictures/picture.js'
import type { Pictures } from '../pictures/pictures.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { firstPageQuery } from '../../http/request/list-query.js'
import { mayWriteRecord, viewFor } from '../../http/request/record-rights.js'

export type FindingDependencies = {
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  readonly resources: Resources
  readonly redirects: Pick<Redirects, 'leadingTo'>
}

/** A field of a record that has the name. */
export type FieldFinding = {
  readonly reference: Reference
  /** The record, as pages call it. */
  readonly title: string
  readonly field: Field
  /** The texts of the field that have it. */
  readonly texts: readonly string[]
  readonly mayWrite: boolean
}

/** A picture whose texts have the name. */
export type PictureFinding = {
  readonly reference: Reference
  readonly title: string
  readonly picture: Picture
  readonly texts: readonly string[]
  readonly mayWrite: boolean
}

/** So many records with the name are shown at a time. */
const maxRecords = 100

/** The texts in the fields of a record, by field. An identifier is changed in a way of its own. */
const findInValues = (
  resource: Resource,
  values: RecordValues,
  { isIn }: TextRemoval,
): readonly (readonly [Field, readonly string[]])[] =>
  resource.inputFields
    .filter((field) => field !== resource.id && !field.target && !field.vocabulary)
    .flatMap((field) => {
      const texts = textsOf(values[field.name]).filter(isIn)
      return texts.length > 0 ? [[field, texts] as const] : []
    })

function textsOf(value: FieldValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? value : []
}

/** The value with another text in place of the name. */
export function valueWithout(
  value: FieldValue | undefined,
  removal: TextRemoval,
  by: string,
): FieldValue {
  if (typeof value === 'string') return removal.replaceIn(value, by)
  if (typeof value !== 'object' || value === null) return value ?? null
  const left = value.map((text) => removal.replaceIn(text, by)).filter((text) => text !== '')
  return [...new Set(left)]
}

export async function findInRecord(
  { catalogue, resources }: FindingDependencies,
  account: Account,
  reference: Reference,
  removal: TextRemoval,
): Promise<readonly FieldFinding[]> {
  const { target, id } = reference
  const view = await viewFor(catalogue, account, reference)
  const { record } = await catalogue.read(target, id, view)
  return findingsOf(resources, record, removal).map((found) => ({ ...found, mayWrite: true }))
}

const findingsOf = (
  resources: Resources,
  record: ResolvedRecord,
  removal: TextRemoval,
): readonly Omit<FieldFinding, 'mayWrite'>[] =>
  findInValues(record.resource, record.values, removal).map(([field, texts]) => ({
    reference: referenceTo(record),
    title: recordHeading(record, resources),
    field,
    texts,
  }))

/** The fields of other records, found by the search of the service. */
export async function findInOthers(
  { catalogue, resources }: FindingDependencies,
  account: Account,
  { reference, name, removal }: { reference: Reference; name: string; removal: TextRemoval },
): Promise<readonly FieldFinding[]> {
  const references = (await search(catalogue, name)).filter(
    ({ target, id }) => target !== reference.target || id !== reference.id,
  )
  const records = await catalogue.readInFull(references)
  const findings: FieldFinding[] = []
  for (const one of references) {
    const record = records.get(recordKey(one))
    const found = record ? findingsOf(resources, record, removal) : []
    if (found.length === 0) continue
    const mayWrite = await mayWriteRecord(catalogue, account, one)
    findings.push(...found.map((each) => ({ ...each, mayWrite })))
  }
  return findings
}

/** The records that have the words of a name one after the other. */
async function search(catalogue: Catalogue, name: string): Promise<readonly Reference[]> {
  if (catalogue.findsWords) {
    const q = `"${name.replaceAll('"', ' ')}"`
    const query = { names: resourceNames, q, page: 1, pageSize: maxRecords }
    return (await catalogue.searchAll(query)).results.map(({ reference }) => reference)
  }
  const lists = await Promise.all(
    resourceNames.map((target) =>
      catalogue.list(target, firstPageQuery(maxRecords, { search: name }), 'detail'),
    ),
  )
  return lists.flatMap(({ records }) => records.map(referenceTo))
}

/** The texts of the pictures of a record, and of the zines that name it. */
export async function findInPictures(
  { catalogue, pictures, resources }: FindingDependencies,
  account: Account,
  reference: Reference,
  { isIn }: TextRemoval,
): Promise<readonly PictureFinding[]> {
  const findings: PictureFinding[] = []
  for (const one of [reference, ...(await findZinesOf(catalogue, resources, reference))]) {
    if (!isPictured(one.target)) continue
    const found = pictures.list(one).flatMap((picture) => {
      const texts = [picture.alt, picture.credit].filter(isIn)
      return texts.length > 0 ? [{ picture, texts }] : []
    })
    if (found.length === 0) continue
    const { record } = await catalogue.read(one.target, one.id)
    const shared = {
      reference: one,
      title: recordHeading(record, resources),
      mayWrite: await mayWriteRecord(catalogue, account, one),
    }
    findings.push(...found.map((each) => ({ ...shared, ...each })))
  }
  return findings
}

async function findZinesOf(
  catalogue: Catalogue,
  resources: Resources,
  { target, id }: Reference,
): Promise<readonly Reference[]> {
  if (target !== 'agents') return []
  const zines = new Map<string, Reference>()
  for (const { resource, field } of fieldsReferringTo(resources, target)) {
    const query = { filters: new Map([[field, id]]), search: '', ordering: [] }
    const { batches } = await catalogue.stream(resource, query)
    for await (const records of batches)
      for (const zine of records.map(referenceTo)) zines.set(recordKey(zine), zine)
  }
  return [...zines.values()]
}

/** The fields whose former values have the name. */
export async function findInHistory(
  { catalogue, resources }: FindingDependencies,
  { target, id }: Reference,
  removal: TextRemoval,
): Promise<readonly Field[]> {
  const resource = resources[target]
  const fields = new Set<Field>()
  for (const { before, after } of await catalogue.history(target, id))
    for (const values of [before, after])
      for (const [field] of findInValues(resource, values ?? {}, removal)) fields.add(field)
  return [...fields]
}

/** The former identifiers of a record that have the name, and still lead to it. */
export async function findFormerIdentifiers(
  { redirects }: FindingDependencies,
  reference: Reference,
  name: string,
): Promise<readonly string[]> {
  const leading = await redirects.leadingTo([reference])
  return leading.map((one) => one.reference.id).filter((id) => isNameInIdentifier(id, name))
}
