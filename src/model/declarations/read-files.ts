// Reads the Turtle files of the model: the ontology, the shapes and the vocabularies that ship with
// the service, and the terms that an institution adds in its data directory. A new vocabulary is
// its file in vocabularies/ and one line here. Labels in other languages: vocabulary-labels.ts; links
// to other vocabularies: vocabulary-links.ts.
// What the files mean is left to resources.ts and vocabulary.ts.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { ExpectedError } from '../../errors.js'
import { ifAbsent } from '../../lib/durable-file.js'
import { type Quad, quadInGraph } from '../../rdf/terms.js'
import { readTurtle } from '../../rdf/turtle-reader.js'
import type { Iris } from '../iris.js'
import { createPlaceFinder } from '../place-names.js'
import { type Places, readPlaces } from '../places.js'
import type { Declarations } from '../resources.js'
import {
  type ChangingVocabulary,
  type Vocabulary,
  buildVocabulary,
  mergeLocalTerms,
} from '../vocabulary.js'
import { quadsOfLabels, readVocabularyLabels } from './vocabulary-labels.js'
import { headingsOf, quadsOfLinks, readVocabularyLinks } from './vocabulary-links.js'

/**
 * The vocabularies that are served under /api/vocabularies/ (docs/reference/records.md, "Reference
 * lists").
 */
export const vocabularyNames = [
  'subjects',
  'genres',
  'agent-kinds',
  'agent-roles',
  'repository-kinds',
  'access-status',
  'rights-status',
  'formats',
  'content-advice',
] as const

/**
 * The vocabularies that are served under /api/geography/; places are no vocabulary (see places.ts).
 */
export const geographyNames = ['countries', 'languages'] as const

export type VocabularyName = (typeof vocabularyNames)[number] | (typeof geographyNames)[number]

/** Vocabularies that only the shapes use. */
const internalNames = ['repository-status'] as const

/**
 * Vocabularies without own terms of an institution: RDF types and messages depend on the agent
 * kinds.
 */
const closedNames: readonly string[] = ['agent-kinds']

/** The vocabularies to which an institution can add terms. */
export const openVocabularyNames = vocabularyNames.filter((name) => !closedNames.includes(name))

const shapeFiles = ['common.ttl', 'zine.ttl', 'agent.ttl', 'repository.ttl', 'holding.ttl']

export type ModelFiles = Declarations & {
  readonly named: Readonly<Record<VocabularyName, ChangingVocabulary>>
  /** The triples of all vocabularies, in the graph of vocabularies. */
  readonly concepts: readonly Quad[]
  readonly places: Places
}

/**
 * @param root the directory that holds `ontology`, `shapes` and `vocabularies`
 * @param local the directory of an institution's own terms, which may not exist
 * @throws ExpectedError, which names the file
 */
export async function readModelFiles(root: string, local: string, iris: Iris): Promise<ModelFiles> {
  const shapes = await Promise.all(
    shapeFiles.map((file) => readTurtle(join(root, 'shapes', file), iris.shapes)),
  )
  const ontology = await readTurtle(join(root, 'ontology', 'zine-catalogue.ttl'), iris.ontology)
  const localFiles = await findLocalFiles(local)
  const places = await readPlaces(join(root, 'vocabularies', 'places.tsv'))

  const schemes = [
    ...[...vocabularyNames, ...internalNames].map((name) => [name, iris.vocabulary(name)] as const),
    ...geographyNames.map((name) => [name, iris.geography(name)] as const),
  ]
  const linksByName = await readVocabularyLinks(join(root, 'vocabularies', 'links.tsv'))
  const labels = await readVocabularyLabels(join(root, 'vocabularies', 'labels.tsv'))
  const read = await Promise.all(
    schemes.map(async ([name, scheme]) => {
      const file = join(root, 'vocabularies', `${name}.ttl`)
      const links = linksByName.get(name) ?? []
      const shipped = [
        ...(await readTurtle(file, scheme)),
        ...quadsOfLabels(
          labels.filter(({ vocabulary }) => vocabulary === name),
          scheme,
        ),
        ...quadsOfLinks(links, scheme),
      ]
      const localFile = localFiles.get(name)
      const quads = localFile
        ? mergeLocalTerms(scheme, shipped, await readLocalFile(localFile, scheme))
        : shipped
      const headings = headingsOf(links)
      return buildVocabulary({ name, scheme, quads, file: localFile ?? file, headings })
    }),
  )

  return {
    shapes: shapes.flat(),
    ontology,
    vocabularies: new Map(read.map((vocabulary) => [vocabulary.scheme.value, vocabulary])),
    named: Object.fromEntries(read.map((vocabulary) => [vocabulary.name, vocabulary])) as Record<
      VocabularyName,
      ChangingVocabulary
    >,
    concepts: read.flatMap((vocabulary) => toVocabularyGraph(iris, vocabulary)),
    places,
    findPlace: createPlaceFinder(places),
  }
}

/** An institution's files, by the name of the vocabulary that they add to. */
async function findLocalFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const files = (await fileNames(directory)).filter((name) => name.endsWith('.ttl'))
  return new Map(
    files.map((file) => {
      const name = file.slice(0, -'.ttl'.length)
      if (!openVocabularyNames.some((openName) => openName === name))
        throw new ExpectedError(
          `${join(directory, file)}: terms can be added to ${openVocabularyNames.join(', ')}`,
        )
      return [name, join(directory, file)]
    }),
  )
}

async function fileNames(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(ifAbsent)) ?? []
}

/** @throws ExpectedError for a concept of another scheme */
async function readLocalFile(file: string, scheme: string): Promise<Quad[]> {
  return checkLocalTerms(await readTurtle(file, scheme), scheme, file)
}

/** @throws ExpectedError for a concept of another scheme */
export function checkLocalTerms(quads: Quad[], scheme: string, file: string): Quad[] {
  const foreign = quads.find(
    ({ subject }) => subject.value !== scheme && !subject.value.startsWith(`${scheme}#`),
  )
  if (foreign)
    throw new ExpectedError(`${file}: ${foreign.subject.value} is not of the form <#code>`)
  return quads
}

/** The triples of a concept scheme, the same as in its document, in the graph of vocabularies. */
export function toVocabularyGraph(iris: Iris, vocabulary: Vocabulary): Quad[] {
  const graph = iris.graphs.vocabularies
  return [
    ...vocabulary.statementsOfScheme,
    ...vocabulary.entries.flatMap(({ code }) => vocabulary.statements(code)),
  ].map((statement) => quadInGraph(statement, graph))
}
