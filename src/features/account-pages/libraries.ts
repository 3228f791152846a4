// The library that an account may be bound to: the list to choose from, and what it is called.

import { message } from '../../message.js'
import { InvalidError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { labelOfReference } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Option } from '../../views/components/select.js'
import type { SubmittedForm } from '../../http/form-endpoint.js'

export type LibraryDependencies = {
  readonly catalogue: Pick<Catalogue, 'find' | 'mayWriteRecord' | 'mergedInto' | 'stream'>
  readonly resources: Resources
}

const reference = (id: string): Reference => ({ target: 'repositories', id })

/** All libraries, by name. */
export async function findLibraries({
  catalogue,
  resources: { repositories },
}: LibraryDependencies): Promise<readonly Option[]> {
  const title = repositories.summary.title?.name ?? repositories.id.name
  const query = { filters: new Map(), search: '', ordering: [title] }
  const { batches } = await catalogue.stream('repositories', query)
  const libraries: Option[] = []
  for await (const records of batches)
    for (const { values } of records)
      libraries.push([textValue(values, repositories.id.name), textValue(values, title)])
  return libraries
}

type WithLibrary = Account & {
  /** What the library of the account is called; empty for one that was forgotten. */
  readonly library?: string
}

/** The accounts with their libraries, under the identifiers that these have now. */
export async function withLibraries(
  { catalogue, resources }: LibraryDependencies,
  accounts: readonly Account[],
): Promise<readonly WithLibrary[]> {
  const present = await Promise.all(
    accounts.map(async (account) =>
      account.repository === undefined
        ? account
        : { ...account, repository: await presentId(catalogue, account.repository) },
    ),
  )
  const ids = present.flatMap(({ repository }) => repository ?? [])
  const lookup = await catalogue.find(ids.map(reference))
  return present.map((account) =>
    account.repository === undefined
      ? account
      : {
          ...account,
          library: labelOfReference(resources, lookup, reference(account.repository)),
        },
  )
}

export async function withLibrary(
  dependencies: LibraryDependencies,
  account: Account,
): Promise<WithLibrary> {
  const [accountWithLibrary = account] = await withLibraries(dependencies, [account])
  return accountWithLibrary
}

const presentId = async (catalogue: Pick<Catalogue, 'mergedInto'>, id: string): Promise<string> =>
  (await catalogue.mergedInto('repositories', id)) ?? id

/** The identifier of a repository in a form; undefined where none is chosen. */
export function repositoryIn(form: SubmittedForm): string | undefined {
  const id = form.get('repository') ?? ''
  return id === '' ? undefined : id
}

/** @throws InvalidError if there is no such repository */
export async function checkRepository(
  { catalogue }: LibraryDependencies,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return
  if (!(await catalogue.find([reference(id)]))(reference(id)))
    throw new InvalidError(message('There is no library with the identifier "{id}".', { id }))
}
