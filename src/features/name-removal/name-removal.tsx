// The guided page on which editors remove a name that a maker does not want here any more: step by
// step, each as the data are at the moment, so that it can be left and gone on with. The name comes
// with each form and is kept nowhere. How the page looks is left to name-removal-page.tsx.

import type { VNode } from 'preact'

import { type Message, message } from '../../message.js'
import { ConflictError, ForbiddenError, NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { isNameInIdentifier } from '../../lib/names/name-in-identifier.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resource } from '../../model/resources.js'
import { type TextRemoval, createTextRemoval } from '../../model/text-removal.js'
import { changeRequestKinds } from '../change-requests/change-requests.js'
import type { RemovalProof } from '../history/removal-proof.js'
import type { RemovalProofDependencies } from '../history/removal-proof-api.js'
import { recordHeading } from '../../views/components/record-summary.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { mayWriteRecord, readFor, seesHidden } from '../../http/request/record-rights.js'
import {
  type FormDependencies,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  sourceOf,
} from '../../http/form-endpoint.js'
import {
  type FindingDependencies,
  findFormerIdentifiers,
  findInHistory,
  findInOthers,
  findInPictures,
  findInRecord,
  valueWithout,
} from './findings.js'
import { type NameRemovalSteps, NameRemovalPage } from './name-removal-page.js'

type NameRemovalDependencies = FormDependencies & FindingDependencies & RemovalProofDependencies

export const nameRemovalEndpoints = (dependencies: NameRemovalDependencies): Endpoint[] =>
  changeRequestKinds.map((kind) => nameRemovalEndpoint(dependencies, kind))

/** The name that is to go, and what comes in its place. */
type Sought = {
  readonly name: string
  readonly by: string
  readonly removal: TextRemoval
  /** The page of the other records. */
  readonly page: number
}

/** Shorter names would be found in other words. */
const minLength = 2
const maxLength = 300

/** Undefined where no name was typed. @throws ValidationError */
function readSought(form: SubmittedForm): Sought | undefined {
  const [name, by] = ['name', 'by'].map((field) =>
    (form.get(field) ?? '').normalize('NFC').trim().replace(/\s+/g, ' '),
  ) as [string, string]
  if (name === '') return undefined
  const length = Array.from(name).length
  if (length < minLength || length > maxLength) throw wrong(lengthMessage)
  const removal = createTextRemoval(name)
  if (removal.isIn(by)) throw wrong(message('What comes in its place has the name too.'))
  const page = Number(form.get('page') ?? 1)
  return { name, by, removal, page: Number.isSafeInteger(page) && page > 0 ? page : 1 }
}

const lengthMessage = message('The name has to have {min} to {max} characters.', {
  min: minLength,
  max: maxLength,
})

const wrong = (text: Message): ValidationError => new ValidationError(new Map([['name', [text]]]))

function nameRemovalEndpoint(dependencies: NameRemovalDependencies, kind: ResourceName): Endpoint {
  const { noun } = dependencies.resources[kind]
  const referenceOf = ({ ctx }: SignedInRequest): Reference => ({
    target: kind,
    id: recordIdParam(ctx),
  })
  return createFormEndpoint(dependencies, {
    path: editingRoutes.removeName(kind),
    name: `Remove a Name from a ${noun}`,
    description: 'Finds a name wherever it is, and removes it step by step.',
    record: kind,
    render: (request) => page(dependencies, request, referenceOf(request)),
    async submit(request, form) {
      const before = referenceOf(request)
      let sought: Sought | undefined
      try {
        sought = readSought(form)
        if (!sought) return await page(dependencies, request, before)
        const done = await act(dependencies, request, { reference: before, sought, form })
        return await page(dependencies, request, done.reference, { sought, ...done })
      } catch (error) {
        const notice = refusalOf(error)
        if (!notice) throw error
        request.ctx.status = error instanceof ConflictError ? 409 : 400
        return page(dependencies, request, before, { sought, notice })
      }
    },
  })
}

/** What to say of an error that the user can do something about. */
function refusalOf(error: unknown): Notice | undefined {
  if (error instanceof ConflictError) return { tone: 'wrong', text: error.text }
  if (!(error instanceof ValidationError)) return undefined
  const [text] = [...error.fieldErrors.values()].flat()
  return text === undefined ? undefined : { tone: 'wrong', text }
}

/** The record that the page goes on with, and what to say. */
type Done = {
  readonly reference: Reference
  readonly notice?: Notice
  readonly proof?: RemovalProof
}

/** What a form asks for on the page of a record. */
type Step = {
  readonly reference: Reference
  readonly sought: Sought
  readonly form: SubmittedForm
}

type Action = (
  dependencies: NameRemovalDependencies,
  request: SignedInRequest,
  step: Step,
) => Promise<Done>

const actions: Readonly<Record<string, Action>> = {
  replace,
  redact,
  picture,
  rename,
  forget,
  prove,
}

async function act(
  dependencies: NameRemovalDependencies,
  request: SignedInRequest,
  step: Step,
): Promise<Done> {
  const name = step.form.get('do') ?? ''
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  return action ? action(dependencies, request, step) : { reference: step.reference }
}

/** The record that a form names: that of the page, or another one. */
async function requireRecord(
  { catalogue, resources }: NameRemovalDependencies,
  { account }: SignedInRequest,
  form: SubmittedForm,
): Promise<{ readonly reference: Reference; readonly resource: Resource }> {
  const resource = Object.values(resources).find(({ name }) => name === form.get('kind'))
  if (!resource) throw new NotFoundError()
  const reference = { target: resource.name, id: form.get('id') ?? '' }
  if (!(await mayWriteRecord(catalogue, account, reference))) throw new ForbiddenError()
  return { reference, resource }
}

/**
 * Puts the other text in place of the name in one field. Administrators remove it from the history
 * of the field at once, where nobody would look for it later.
 */
async function replace(
  dependencies: NameRemovalDependencies,
  request: SignedInRequest,
  { reference: ofPage, sought, form }: Step,
): Promise<Done> {
  const { catalogue } = dependencies
  const { reference, resource } = await requireRecord(dependencies, request, form)
  const { target, id } = reference
  const field = resource.byName.get(form.get('field') ?? '')
  if (!field) throw new NotFoundError()
  const { account } = request
  // The account may write the record, as was required above.
  const view = 'private'
  const { record, version } = await readFor(catalogue, account, reference, view)
  const value = valueWithout(record.values[field.name], sought.removal, sought.by)
  await catalogue.change(target, id, new Map([[field.name, value]]), {
    view,
    mayName: seesHidden(account),
    precondition: (present) => present === version,
    source: sourceOf(request),
  })
  if (isAdmin(account))
    await redactField(dependencies, request, reference, {
      field: field.name,
      value: sought.name,
    })
  return { reference: ofPage, notice: done }
}

/** Removes the name from the history of a field of the page's record. */
async function redact(
  dependencies: NameRemovalDependencies,
  request: SignedInRequest,
  { reference, sought, form }: Step,
): Promise<Done> {
  requireAdmin(request)
  await redactField(dependencies, request, reference, {
    field: form.get('field') ?? '',
    value: sought.name,
  })
  return { reference, notice: done }
}

const redactField = (
  { catalogue }: NameRemovalDependencies,
  { account }: SignedInRequest,
  reference: Reference,
  redaction: { readonly field: string; readonly value: string },
): Promise<void> =>
  catalogue.redact(reference, redaction, { account: account.name, how: 'redaction' })

/** Puts the other text in place of the name in the texts of a picture. */
async function picture(
  dependencies: NameRemovalDependencies,
  request: SignedInRequest,
  { reference: ofPage, sought: { removal, by }, form }: Step,
): Promise<Done> {
  const { catalogue, pictures } = dependencies
  const { reference } = await requireRecord(dependencies, request, form)
  const match = pictures.list(reference).find(({ id }) => id === form.get('picture'))
  if (!match) throw new NotFoundError()
  const [alt, credit] = [removal.replaceIn(match.alt, by), removal.replaceIn(match.credit, by)]
  await catalogue.withRecord(reference, request.account.name, () =>
    pictures.change(reference, match.id, { alt, credit }),
  )
  return { reference: ofPage, notice: done }
}

/** Gives the page's record another identifier; administrators may have the former one forgotten. */
async function rename(
  { catalogue, resources }: NameRemovalDependencies,
  request: SignedInRequest,
  { reference: { target, id }, form }: Step,
): Promise<Done> {
  const forgets = form.get('forget') === 'yes'
  if (forgets) requireAdmin(request)
  const source = { account: request.account.name, how: 'merge' } as const
  const newId = form.get('new-id') ?? ''
  const { record: renamed } = await catalogue.rename(target, id, newId, { source, forgets })
  const renamedId = textValue(renamed.record.values, resources[target].id.name)
  return { reference: { target, id: renamedId }, notice: done }
}

/** Forgets a former identifier that leads to the page's record. */
async function forget(
  dependencies: NameRemovalDependencies,
  request: SignedInRequest,
  { reference, form }: Step,
): Promise<Done> {
  requireAdmin(request)
  const former = { target: reference.target, id: form.get('former') ?? '' }
  const leading = await dependencies.redirects.leadingTo([reference])
  if (!leading.some((redirect) => redirect.reference.id === former.id)) throw new NotFoundError()
  await dependencies.catalogue.forget(former, { account: request.account.name, how: 'redaction' })
  return { reference, notice: done }
}

/** Looks for the name in all files, records and answers. */
async function prove(
  { proveRemoval }: NameRemovalDependencies,
  request: SignedInRequest,
  { reference, sought: { name } }: Step,
): Promise<Done> {
  requireAdmin(request)
  return { reference, proof: await proveRemoval([name]) }
}

const done: Notice = { tone: 'done', text: message('Done.') }

const isAdmin = ({ role }: Account): boolean => role === 'admin'

/** @throws ForbiddenError */
function requireAdmin({ account }: SignedInRequest): void {
  if (!isAdmin(account)) throw new ForbiddenError()
}

type PageState = {
  readonly sought?: Sought | undefined
  readonly notice?: Notice | undefined
  readonly proof?: RemovalProof | undefined
}

async function page(
  dependencies: NameRemovalDependencies,
  { account, context }: SignedInRequest,
  reference: Reference,
  { sought, notice, proof }: PageState = {},
): Promise<VNode> {
  const { catalogue, resources } = dependencies
  const { target, id } = reference
  const { record } = await readFor(catalogue, account, reference)
  return (
    <NameRemovalPage
      {...{ context, notice, reference, sought, proof }}
      title={recordHeading(record, resources)}
      action={editingLinks.removeName(target, id)}
      isAdmin={isAdmin(account)}
      steps={sought && (await findSteps(dependencies, account, reference, sought))}
    />
  )
}

async function findSteps(
  dependencies: NameRemovalDependencies,
  account: Account,
  reference: Reference,
  { name, removal, page }: Sought,
): Promise<NameRemovalSteps> {
  return {
    inRecord: await findInRecord(dependencies, account, reference, removal),
    others: await findInOthers(dependencies, account, { reference, name, removal, page }),
    pictures: await findInPictures(dependencies, account, reference, removal),
    history: await findInHistory(dependencies, reference, removal),
    isInIdentifier: isNameInIdentifier(reference.id, name),
    former: await findFormerIdentifiers(dependencies, reference, name),
  }
}
