// Creating, changing and deleting records by forms. What was typed is never lost: whatever cannot be
// done is told on the form, with everything still in it.

import { maySeePrivate, mayWrite } from '../../accounts/rights.js'
import type { Account } from '../../accounts/accounts.js'
import { cascades } from '../../catalogue/cascade.js'
import type { Catalogue, Found } from '../../catalogue/catalogue.js'
import { Changed } from '../../catalogue/errors.js'
import {
  type Difference,
  FormPage,
  type FormProps,
  RemovePage,
  type Typed,
} from '../../views/pages/record-form.js'
import { desk, deskRoutes, listPath, recordPath } from '../../views/links.js'
import { nameOf } from '../../views/components/record-summary.js'
import { textsIn } from '../../views/components/field-value.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { type Card, textOf } from '../../model/record/values.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Reference, Sheet, View } from '../../model/record/views.js'
import { Invalid } from '../../model/record/input.js'
import { firstOf, idOf } from '../request/list-query.js'
import type { Endpoint } from '../endpoint.js'
import { type Caller, type Doors, type Elsewhere, type Form, openRoom } from './form-endpoint.js'

type Parts = Doors & { readonly catalogue: Catalogue; readonly resources: Resources }

export const formEndpoints = (parts: Parts): Endpoint[] =>
  resourceNames.flatMap((name) => {
    const resource = parts.resources[name]
    return [createRoom(parts, resource), editRoom(parts, resource), removeRoom(parts, resource)]
  })

/** Who may see private fields also writes them. */
const viewOf = (account: Account, name: ResourceName): View =>
  name === 'agents' && maySeePrivate(account) ? 'private' : 'detail'

type Shown = Partial<Omit<FormProps, 'resource' | 'resources' | 'cards' | 'visit'>>

async function formPage(
  { catalogue, resources }: Parts,
  resource: Resource,
  { visit }: Pick<Caller, 'visit'>,
  typed: Typed,
  shown: Shown = {},
) {
  const cards = await catalogue.find(
    resource.written.flatMap(({ name, target }): Reference[] =>
      target ? (typed.get(name) ?? []).map((id) => ({ target, id })) : [],
    ),
  )
  return (
    <FormPage
      id={undefined}
      failures={new Map()}
      {...shown}
      {...{ visit, resource, resources, typed, cards }}
    />
  )
}

function createRoom(parts: Parts, resource: Resource): Endpoint {
  const { catalogue } = parts
  const { name, noun } = resource
  return openRoom(parts, {
    path: deskRoutes.create(name),
    name: `New ${noun}`,
    description: `A form for a new ${noun.toLowerCase()}.`,
    may: (account) => mayWrite(account, name),
    show: (caller) => formPage(parts, resource, caller, blank(resource, caller)),
    keep: (caller, form) =>
      formPage(parts, resource, caller, typedIn(form, resource), { notice: signedOut }),
    async take(caller, form) {
      const typed = typedIn(form, resource)
      const again = rearranged(form, typed)
      if (again) return formPage(parts, resource, caller, again)
      const duplicates =
        form.get('.confirm') === 'yes' ? [] : await duplicatesOf(parts, resource, typed)
      if (duplicates.length > 0) return formPage(parts, resource, caller, typed, { duplicates })
      try {
        const view = viewOf(caller.account, name)
        const { sheet } = await catalogue.create(name, bodyOf(resource, typed), { view })
        return { to: recordPath(name, textOf(sheet.card, resource.id.name)) }
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        caller.ctx.status = 400
        return formPage(parts, resource, caller, typed, { failures: error.failures })
      }
    },
  })
}

function editRoom(parts: Parts, resource: Resource): Endpoint {
  const { catalogue } = parts
  const { name, noun } = resource
  return openRoom(parts, {
    path: deskRoutes.edit(name),
    name: `Edit ${noun}`,
    description: `A form to change a ${noun.toLowerCase()}.`,
    may: (account) => mayWrite(account, name),
    async show(caller) {
      const found = await catalogue.read(name, idOf(caller.ctx), viewOf(caller.account, name))
      const typed = typedFrom(resource, found.sheet.card)
      return formPage(parts, resource, caller, typed, shownOf(caller, found))
    },
    async keep(caller, form) {
      const version = form.get('.version') ?? ''
      const shown = { id: idOf(caller.ctx), version, notice: signedOut }
      return formPage(parts, resource, caller, typedIn(form, resource), shown)
    },
    take: (caller, form) => save(parts, resource, caller, form),
  })
}

const shownOf = ({ ctx }: Caller, found: Found): Shown => ({
  id: idOf(ctx),
  version: versionOf(found),
})

// When the record itself was last written: what it shows of others may change without being its own.
const versionOf = ({ sheet }: Found): string => textOf(sheet.card, 'updated_at')

/** Writes what the form has that the record has not; and nothing over what somebody else wrote meanwhile. */
async function save(parts: Parts, resource: Resource, caller: Caller, form: Form) {
  const { catalogue } = parts
  const { name } = resource
  const id = idOf(caller.ctx)
  const view = viewOf(caller.account, name)
  const typed = typedIn(form, resource)
  const version = form.get('.version') ?? ''
  const shown = { id, version }
  const again = rearranged(form, typed)
  if (again) return formPage(parts, resource, caller, again, shown)

  const found = await catalogue.read(name, id, view)
  const differing = differencesIn(resource, found.sheet.card, typed)
  if (versionOf(found) !== version) {
    caller.ctx.status = 409
    const others = differing.map((field) => difference(field, found.sheet))
    return formPage(parts, resource, caller, typed, { ...shownOf(caller, found), others })
  }
  try {
    const body = bodyOf({ ...resource, written: differing }, typed)
    const expects = (versions: readonly string[]): boolean => versions.includes(found.version)
    if (differing.length > 0) await catalogue.change(name, id, body, { view, expects })
    return { to: recordPath(name, id) }
  } catch (error) {
    // Between our reading and our writing: what it is now is told as if it had been before.
    if (error instanceof Changed) return save(parts, resource, caller, form)
    if (!(error instanceof Invalid)) throw error
    caller.ctx.status = 400
    return formPage(parts, resource, caller, typed, { ...shown, failures: error.failures })
  }
}

const difference = (field: Field, { card }: Sheet): Difference => ({
  field,
  now: textsIn(field, card).join('\n'),
})

/** The fields for which something else is typed than the record says. */
const differencesIn = (resource: Resource, card: Card, typed: Typed): readonly Field[] =>
  resource.written.filter(
    (field) =>
      field !== resource.id &&
      JSON.stringify(typed.get(field.name) ?? []) !== JSON.stringify(typedOf(field, card)),
  )

function removeRoom(parts: Parts, resource: Resource): Endpoint {
  const { catalogue, resources } = parts
  const { name, noun } = resource

  async function page({ ctx, visit }: Caller, shown: { readonly isChanged?: true } = {}) {
    const id = idOf(ctx)
    const found = await catalogue.read(name, id)
    return (
      <RemovePage
        {...{ visit, resource, id }}
        title={nameOf(found.sheet, resources)}
        version={versionOf(found)}
        effects={await effectsOf(catalogue, name, id)}
        notice={
          shown.isChanged && {
            tone: 'look',
            text: 'Somebody else changed this record meanwhile. Look again before you delete it.',
          }
        }
      />
    )
  }

  return openRoom(parts, {
    path: deskRoutes.remove(name),
    name: `Delete ${noun}`,
    description: `Tells what goes with a ${noun.toLowerCase()}, and deletes it.`,
    may: (account) => mayWrite(account, name),
    show: (caller) => page(caller),
    async take(caller, form): Promise<Elsewhere | Awaited<ReturnType<typeof page>>> {
      const id = idOf(caller.ctx)
      const found = await catalogue.read(name, id)
      if (versionOf(found) !== form.get('.version')) return page(caller, { isChanged: true })
      try {
        const expects = (versions: readonly string[]): boolean => versions.includes(found.version)
        await catalogue.remove(name, id, { expects })
      } catch (error) {
        if (error instanceof Changed) return page(caller, { isChanged: true })
        throw error
      }
      return { to: listPath(name) }
    },
  })
}

/** What a deletion does to others (specification: Delete effects). */
async function effectsOf(catalogue: Catalogue, name: ResourceName, id: string) {
  const counted = async (from: ResourceName, by: string) => {
    const filters = { [by]: id }
    const { count } = await catalogue.list(from, firstOf(1, { filters }))
    return { count, path: listPath(from, filters) }
  }
  const gone = await Promise.all(
    cascades[name].map(async ({ resource, field }) => {
      const { count, path } = await counted(resource, field)
      const what = count === 1 ? resource.replace(/s$/, '') : resource
      return {
        count,
        path,
        text: `And ${count.toLocaleString('en')} ${what} will be deleted with it.`,
      }
    }),
  )
  const left = name === 'agents' ? [await counted('zines', 'creator')] : []
  return [
    ...gone,
    ...left.map(({ count, path }) => ({
      count,
      path,
      text: `${count.toLocaleString('en')} ${count === 1 ? 'zine' : 'zines'} will go on naming it, by an identifier that leads nowhere.`,
    })),
  ].filter(({ count }) => count > 0)
}

const signedOut = {
  tone: 'look',
  text: (
    <p>
      You were signed out meanwhile. Nothing is lost:{' '}
      <a href={desk.login} target="_blank" rel="opener">
        sign in in another tab
      </a>
      , come back here, and save again.
    </p>
  ),
} as const

/** The values that the form has for each field; empty rows are none. */
const typedIn = (form: Form, resource: Resource): Typed =>
  new Map(
    resource.written.map((field) => {
      const values = form.getAll(field.name).map(lined)
      if (field.kind === 'boolean') return [field.name, [String(values.includes('true'))]]
      return [field.name, values.filter((value) => value.trim() !== '')]
    }),
  )

/** A record as it stands in its form. */
const typedFrom = (resource: Resource, card: Card): Typed =>
  new Map(resource.written.map((field) => [field.name, typedOf(field, card)]))

const typedOf = (field: Field, card: Card): readonly string[] =>
  field.kind === 'boolean' ? [String(card[field.name] === true)] : textsIn(field, card).map(lined)

// Browsers send every line break as two characters, and cannot show the others.
const lined = (value: string): string => value.replace(/\r\n?/g, '\n')

/** A new record, with what the address says of it: a link may lead to the form of a certain zine's holding. */
function blank(resource: Resource, { ctx }: Caller): Typed {
  const given = new URLSearchParams(ctx.querystring)
  return new Map(
    resource.written.map(({ name, byDefault, kind }) => {
      const values = given.getAll(name).filter(Boolean)
      if (values.length > 0) return [name, values]
      if (byDefault !== undefined) return [name, [String(byDefault)]]
      return [name, kind === 'boolean' ? ['false'] : []]
    }),
  )
}

/** As a client of the API would send it. */
const bodyOf = (resource: Pick<Resource, 'written'>, typed: Typed): ReadonlyMap<string, unknown> =>
  new Map(
    resource.written.map((field): [string, unknown] => {
      const values = typed.get(field.name) ?? []
      if (field.many) return [field.name, values]
      const value = values[0] ?? ''
      return [field.name, field.kind === 'integer' && value === '' ? null : value]
    }),
  )

/** What a button for rows asks for, done; undefined when the form is to be saved. */
function rearranged(form: Form, typed: Typed): Typed | undefined {
  const [up, drop] = ['.up', '.drop'].map((name) => rowIn(form.get(name)))
  if (up) return withRows(typed, up.name, (rows) => movedUp(rows, up.index))
  if (drop)
    return withRows(typed, drop.name, (rows) => rows.filter((_, index) => index !== drop.index))
  // Every field has a row for another value already.
  return form.has('.more') ? typed : undefined
}

function rowIn(text: string | null): { readonly name: string; readonly index: number } | undefined {
  const match = /^(\w+):(\d+)$/.exec(text ?? '')
  return match?.[1] && match[2] ? { name: match[1], index: Number(match[2]) } : undefined
}

const withRows = (
  typed: Typed,
  name: string,
  change: (rows: readonly string[]) => readonly string[],
): Typed => new Map([...typed, [name, change(typed.get(name) ?? [])]])

const movedUp = (rows: readonly string[], index: number): readonly string[] =>
  rows.map((row, at) => (at === index - 1 ? rows[index] : at === index ? rows[at - 1] : row) ?? row)

const shownDuplicates = 5

/** Records that may be the one that is about to be made: of the same name, or of the same zine in the same place. */
async function duplicatesOf(
  { catalogue }: Parts,
  resource: Resource,
  typed: Typed,
): Promise<readonly Sheet[]> {
  const { title } = resource
  if (!title) {
    const filters = Object.fromEntries(
      resource.written
        .filter(({ target, filter }) => target && filter)
        .map(({ name }) => [name, typed.get(name)?.[0] ?? '']),
    )
    if (Object.values(filters).includes('')) return []
    return (await catalogue.list(resource.name, firstOf(shownDuplicates, { filters }))).sheets
  }
  const name = typed.get(title.name)?.[0] ?? ''
  // The longest words are the rarest, and a search has a limit.
  const search = name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .sort((a, b) => b.length - a.length)
    .slice(0, 6)
    .join(' ')
    .trim()
  if (search === '') return []
  const { sheets } = await catalogue.list(resource.name, firstOf(50, { search }))
  const isSame = ({ card }: Sheet): boolean => plain(textOf(card, title.name)) === plain(name)
  return sheets.filter(isSame).slice(0, shownDuplicates)
}

/** A name without what differs between two who write it down. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()
