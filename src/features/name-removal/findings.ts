// Where a name still is, as far as pages can show it: the texts of a record, of other records, of
// pictures, and what the history has. Nothing of a search is kept.

import { NotFoundError } from '../../errors.js'
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
import { mayWriteRecord, readFor, seesHidden, viewFor } from '../../http/request/record-rights.js'

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

/** What was found in other records, in pages of those that the search finds. */
export type OtherFindings = {
  readonly findings: readonly FieldFinding[]
  /** How many records the search finds. Some write the name in another way, and do not have it. */
  readonly count: number
  readonly page: number
  readonly pages: number
}

/** So many records of a search are read at a time. */
const recordsOfPage = 100

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
  const view = await viewFor(catalogue, account, reference)
  const { record } = await readFor(catalogue, account, reference, view)
  return findingsOf(resources, record, removal).map((finding) => ({ ...finding, mayWrite: true }))
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

type SoughtElsewhere = {
  readonly reference: Reference
  readonly name: string
  readonly removal: TextRemoval
  readonly page: number
}

/**
 * The fields of other records, found by the search of the service; and first those of hidden
 * records, which no search finds.
 */
export async function findInOthers(
  { catalogue, resources }: FindingDependencies,
  account: Account,
  { reference, name, removal, page }: SoughtElsewhere,
): Promise<OtherFindings> {
  const { references, ...pages } = await search(catalogue, name, page)
  const records = await catalogue.readInFull(references)
  const findings =
    pages.page === 1 ? await findInHidden(catalogue, account, resources, removal) : []
  for (const other of references) {
    const record = records.get(recordKey(other))
    const inRecord = record ? findingsOf(resources, record, removal) : []
    if (inRecord.length === 0) continue
    const mayWrite = await mayWriteRecord(catalogue, account, other)
    findings.push(...inRecord.map((each) => ({ ...each, mayWrite })))
  }
  const ownKey = recordKey(reference)
  return {
    ...pages,
    findings: findings.filter((finding) => recordKey(finding.reference) !== ownKey),
  }
}

/** The fields of the hidden records that the account may write. */
async function findInHidden(
  catalogue: Catalogue,
  account: Account,
  resources: Resources,
  removal: TextRemoval,
): Promise<FieldFinding[]> {
  const findings: FieldFinding[] = []
  for await (const [reference, { values }] of catalogue.allHidden()) {
    const resource = resources[reference.target]
    const textsByField = findInValues(resource, values, removal)
    if (textsByField.length === 0 || !(await mayWriteRecord(catalogue, account, reference)))
      continue
    const { record } = await catalogue.readHidden(reference, 'detail', seesHidden(account))
    const title = recordHeading(record, resources)
    for (const [field, texts] of textsByField)
      findings.push({ reference, title, field, texts, mayWrite: true })
  }
  return findings
}

type FoundReferences = Omit<OtherFindings, 'findings'> & {
  readonly references: readonly Reference[]
}

/** The records that have the words of a name one after the other. */
async function search(catalogue: Catalogue, name: string, page: number): Promise<FoundReferences> {
  if (!catalogue.findsWords) return pageOf(await searchByText(catalogue, name), page)
  const q = `"${name.replaceAll('"', ' ')}"`
  const query = { names: resourceNames, q, page, pageSize: recordsOfPage }
  try {
    const { count, results } = await catalogue.searchAll(query)
    return { ...pagesOf(count, page), references: results.map(({ reference }) => reference) }
  } catch (error) {
    // There are fewer pages since records were changed.
    if (page > 1 && error instanceof NotFoundError) return search(catalogue, name, 1)
    throw error
  }
}

const pagesOf = (count: number, page: number) => ({
  count,
  page,
  pages: Math.max(1, Math.ceil(count / recordsOfPage)),
})

function pageOf(references: readonly Reference[], number: number): FoundReferences {
  const { pages } = pagesOf(references.length, number)
  const page = Math.min(number, pages)
  const start = (page - 1) * recordsOfPage
  return {
    ...pagesOf(references.length, page),
    references: references.slice(start, start + recordsOfPage),
  }
}

/** The records whose texts have the name, where there is no index of words. */
async function searchByText(catalogue: Catalogue, name: string): Promise<readonly Reference[]> {
  const references: Reference[] = []
  for (const target of resourceNames) {
    const query = { filters: new Map(), search: name, ordering: [] }
    const { batches } = await catalogue.stream(target, query)
    for await (const records of batches) references.push(...records.map(referenceTo))
  }
  return references
}

/** The texts of the pictures of a record, and of the zines that name it. */
export async function findInPictures(
  { catalogue, pictures, resources }: FindingDependencies,
  account: Account,
  reference: Reference,
  { isIn }: TextRemoval,
): Promise<readonly PictureFinding[]> {
  const findings: PictureFinding[] = []
  for (const pictured of [reference, ...(await findZinesOf(catalogue, resources, reference))]) {
    if (!isPictured(pictured.target)) continue
    const inPictures = pictures.list(pictured).flatMap((picture) => {
      const texts = [picture.alt, picture.credit].filter(isIn)
      return texts.length > 0 ? [{ picture, texts }] : []
    })
    if (inPictures.length === 0) continue
    const { record } = await readFor(catalogue, account, pictured)
    const shared = {
      reference: pictured,
      title: recordHeading(record, resources),
      mayWrite: await mayWriteRecord(catalogue, account, pictured),
    }
    findings.push(...inPictures.map((each) => ({ ...shared, ...each })))
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
  return leading
    .map((redirect) => redirect.reference.id)
    .filter((id) => isNameInIdentifier(id, name))
}
