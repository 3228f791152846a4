// The named queries: those of the package, and those in the folder `queries` of the data directory,
// each a Turtle file, as an administrator wrote it by hand or in the browser. What a save replaces
// stays beside it as `{name}.{version}.ttl`.

import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { message } from '../../message.js'
import { ConflictError, ExpectedError, NotFoundError } from '../../errors.js'
import { type RdfContext, serializeRdf } from '../../formats/rdf/documents.js'
import { ifAbsent, replaceFileDurably } from '../../lib/durable-file.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { readTurtle } from '../../rdf/turtle-reader.js'
import { type NamedQuery, describeQuery, readNamedQueries } from '../sparql/named-query.js'

export const queryFileName = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.\d+)?\.ttl$/

type Saved = Pick<NamedQuery, 'name' | 'questions' | 'query' | 'form' | 'parameters'> & {
  /** The version that was seen; 0 for a new query. */
  readonly seen: number
  readonly account: string
}

export class QueryFiles {
  readonly #directory: string
  readonly #context: RdfContext
  readonly #shipped: readonly NamedQuery[]
  readonly #now: () => number
  readonly #oneAfterAnother = limitConcurrency(1)
  #own: ReadonlyMap<string, NamedQuery>

  private constructor(
    directory: string,
    context: RdfContext,
    shipped: readonly NamedQuery[],
    own: readonly NamedQuery[],
    now: () => number,
  ) {
    this.#directory = directory
    this.#context = context
    this.#shipped = shipped
    this.#own = byName(own)
    this.#now = now
  }

  /**
   * @param shipped the descriptions of the queries of the package
   * @throws ExpectedError for a file that cannot be read
   */
  static async open(
    directory: string,
    base: string,
    shipped: readonly Quad[],
    now: () => number = Date.now,
  ): Promise<QueryFiles> {
    const own = await readQueryFiles(directory, base)
    const context = { base, prefixes: prefixesUnder(base) }
    return new QueryFiles(directory, context, readNamedQueries(shipped), own, now)
  }

  /** Those of the package first. One in the data directory takes the place of one of the same name. */
  list(): readonly NamedQuery[] {
    const shipped = this.#shipped.map((query) => this.#own.get(query.name) ?? query)
    const names = new Set(shipped.map(({ name }) => name))
    return [...shipped, ...[...this.#own.values()].filter(({ name }) => !names.has(name))]
  }

  /** @throws NotFoundError */
  get(name: string): NamedQuery {
    const query = this.list().find((candidate) => candidate.name === name)
    if (!query) throw new NotFoundError()
    return query
  }

  /** The versions that were replaced, the newest first. */
  async formerVersions(name: string): Promise<readonly NamedQuery[]> {
    const numbers = await this.#numbersOf(name)
    const versions = await Promise.all(
      numbers.map((number) =>
        readTurtle(this.#pathOf(name, number), queriesUnder(this.#context.base)),
      ),
    )
    return versions.flatMap((quads, index) =>
      readNamedQueries(quads).map((query) => ({ ...query, version: numbers[index] ?? 0 })),
    )
  }

  /**
   * Saves a query, which is on the disk when the promise resolves.
   * @throws ConflictError when another version was saved meanwhile, or a new name is taken
   */
  save({ seen, ...query }: Saved): Promise<NamedQuery> {
    return this.#oneAfterAnother(async () => {
      const { name } = query
      const current = this.list().find((candidate) => candidate.name === name)
      if (seen === 0 && current && current.version > 0)
        throw new ConflictError(message('There is a query of this name.'))
      if ((current?.version ?? 0) !== seen)
        throw new ConflictError(message('Somebody else saved this query meanwhile.'))
      const [last = 0] = await this.#numbersOf(name)
      const at = new Date(this.#now()).toISOString()
      const saved = { ...query, version: Math.max(seen, last) + 1, at }
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      const file = this.#pathOf(name)
      if (this.#own.has(name))
        await replaceFileDurably(this.#pathOf(name, seen), await readFile(file))
      const quads = describeQuery(saved, queriesUnder(this.#context.base))
      await replaceFileDurably(
        file,
        Buffer.from(serializeRdf({ type: 'text/turtle' }, quads, this.#context)),
      )
      this.#own = new Map([...this.#own, [name, saved]])
      return saved
    })
  }

  /** The numbers of the versions that were replaced, the last first. */
  async #numbersOf(name: string): Promise<readonly number[]> {
    return (await fileNames(this.#directory))
      .flatMap((file) => {
        const [, of, number] = /^([^.]+)\.(\d+)\.ttl$/.exec(file) ?? []
        return of === name && number !== undefined ? [Number(number)] : []
      })
      .sort((a, b) => b - a)
  }

  #pathOf(name: string, version?: number): string {
    return join(this.#directory, version === undefined ? `${name}.ttl` : `${name}.${version}.ttl`)
  }
}

const byName = (queries: readonly NamedQuery[]): ReadonlyMap<string, NamedQuery> =>
  new Map(queries.map((query) => [query.name, query]))

/** The IRI under which the queries are. */
export const queriesUnder = (base: string): string => `${base}/queries/`

/** @throws ExpectedError for a file that is not the description of one query */
export async function readQueryFiles(directory: string, base: string): Promise<NamedQuery[]> {
  const files = (await fileNames(directory)).filter((file) => /^[^.]+\.ttl$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const name = file.replace('.ttl', '')
      const path = join(directory, file)
      const [query, ...more] = readNamedQueries(await readTurtle(path, queriesUnder(base)))
      if (query?.name !== name || more.length > 0)
        throw new ExpectedError(`${path}: it has to describe one query, <${name}>`)
      return query
    }),
  )
}

async function fileNames(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory).catch(ifAbsent)) ?? []
  return names.filter((name) => queryFileName.test(name))
}
