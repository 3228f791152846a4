// Reads what the service is told in Turtle: the ontology, the shapes and the vocabularies that ship
// with it, and the terms that an institution adds in its data directory.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type Quad, quadInGraph } from '../../rdf/terms.js'
import { readTurtle } from '../../rdf/turtle-reader.js'
import type { Iris } from '../iris.js'
import type { Declarations } from '../resources.js'
import { type Vocabulary, VocabularyError, mergeLocalTerms, vocabularyOf } from '../vocabulary.js'

/** The vocabularies that are served as lists (specification: Vocabulary entry). */
export const vocabularyNames = [
  'subjects',
  'genres',
  'agent-kinds',
  'agent-roles',
  'repository-kinds',
  'access-status',
  'rights-status',
  'formats',
] as const

/** Geography lists that are vocabularies too; places, which are not, have a file of their own. */
export const geographyNames = ['countries', 'languages'] as const

export type VocabularyName = (typeof vocabularyNames)[number] | (typeof geographyNames)[number]

/** What an institution cannot add to: the kinds decide what an agent is, and messages list them. */
const closed: readonly string[] = ['agent-kinds']

const shapeFiles = ['common.ttl', 'zine.ttl', 'agent.ttl', 'repository.ttl', 'holding.ttl']

export type ModelFiles = Declarations & {
  readonly named: Readonly<Record<VocabularyName, Vocabulary>>
  /** All concepts, for the vocabularies' graph. */
  readonly concepts: readonly Quad[]
}

/**
 * @param root the directory that holds `ontology`, `shapes` and `vocabularies`
 * @param local the directory of an institution's own terms; it need not exist
 * @throws TurtleError, VocabularyError, which name the file
 */
export async function readModelFiles(root: string, local: string, iris: Iris): Promise<ModelFiles> {
  const shapes = await Promise.all(
    shapeFiles.map((file) => readTurtle(join(root, 'shapes', file), iris.shapes)),
  )
  const ontology = await readTurtle(join(root, 'ontology', 'zine-catalogue.ttl'), iris.ontology)
  const own = await localFiles(local)

  const schemes = [
    ...[...vocabularyNames, 'repository-status'].map(
      (name) => [name, iris.vocabulary(name)] as const,
    ),
    ...geographyNames.map((name) => [name, iris.geography(name)] as const),
  ]
  const read = await Promise.all(
    schemes.map(async ([name, scheme]) => {
      const file = join(root, 'vocabularies', `${name}.ttl`)
      const shipped = await readTurtle(file, scheme)
      const added = own.get(name)
      const quads = added
        ? mergeLocalTerms(scheme, shipped, await readLocal(added, scheme))
        : shipped
      return { vocabulary: vocabularyOf(name, scheme, quads, added ?? file), quads }
    }),
  )

  return {
    shapes: shapes.flat(),
    ontology,
    vocabularies: new Map(read.map(({ vocabulary }) => [vocabulary.scheme.value, vocabulary])),
    named: Object.fromEntries(
      read.map(({ vocabulary }) => [vocabulary.name, vocabulary]),
    ) as Record<VocabularyName, Vocabulary>,
    concepts: read.flatMap(({ vocabulary }) => inGraph(iris, vocabulary)),
  }
}

/** The institution's files, by the name of the vocabulary that they add to. */
async function localFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const files = (await names(directory)).filter((name) => name.endsWith('.ttl'))
  const open = vocabularyNames.filter((name) => !closed.includes(name))
  return new Map(
    files.map((file) => {
      const name = file.slice(0, -'.ttl'.length)
      if (!open.some((one) => one === name))
        throw new VocabularyError(
          `${join(directory, file)}: terms can be added to ${open.join(', ')}`,
        )
      return [name, join(directory, file)]
    }),
  )
}

async function names(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** @throws VocabularyError for a concept that is not of the scheme */
async function readLocal(file: string, scheme: string): Promise<Quad[]> {
  const quads = await readTurtle(file, scheme)
  const foreign = quads.find(
    ({ subject }) => subject.value !== scheme && !subject.value.startsWith(`${scheme}#`),
  )
  if (foreign)
    throw new VocabularyError(`${file}: ${foreign.subject.value} is not of the form <#code>`)
  return quads
}

/** The triples of a concept scheme, the same as in its document, in the graph of vocabularies. */
function inGraph(iris: Iris, vocabulary: Vocabulary): Quad[] {
  const graph = iris.graphs.vocabularies
  return [
    ...vocabulary.statementsOfScheme,
    ...vocabulary.entries.flatMap(({ code }) => vocabulary.statements(code)),
  ].map((statement) => quadInGraph(statement, graph))
}
