// What the search of a copy finds, and by what it filters: made of the public records as the copy has them.

import type { Translator } from '../../messages/translator.js'
import { labelOfCode } from '../../messages/labels.js'
import { yearsOfAll } from '../../model/dates.js'
import type { ResourceName } from '../../model/iris.js'
import { type Vocabulary, otherLabelsOf } from '../../model/vocabulary.js'
import type { CopyAddresses } from './copy-addresses.js'
import type { Line } from './copied-data.js'
import type { IndexedZine } from './search-index.js'
import type { FilterChoices } from './search-page.js'

export type SearchSource = {
  readonly lines: ReadonlyMap<ResourceName, readonly Line[]>
  readonly translator: Translator
  readonly vocabularies: Readonly<Record<'subjects' | 'genres', Vocabulary>>
}

/** The zines in the order in which they are shown. */
export function indexedZines(
  source: SearchSource,
  addresses: CopyAddresses,
): readonly IndexedZine[] {
  const { lines, translator, vocabularies } = source
  const agents = new Map((lines.get('agents') ?? []).map((line) => [textOf(line.agent_id), line]))
  const libraries = librariesOf(lines.get('holdings') ?? [])
  const { subjects } = vocabularies
  const subjectTexts = new Map(
    subjects.entries.map((entry) => [
      entry.code,
      [entry.code, entry.label, ...otherLabelsOf(subjects, entry)],
    ]),
  )
  const zines = (lines.get('zines') ?? []).map((line): IndexedZine => {
    const id = textOf(line.zine_id)
    const makers = textsOf(line.creator).map((agent) => agents.get(agent) ?? {})
    return {
      href: addresses.fileOf(`/api/zines/${encodeURIComponent(id)}/`),
      title: [textOf(line.title), textOf(line.issue_designation)].filter(Boolean).join(', '),
      line: [
        makers.map((maker) => textOf(maker.display_name)).join(', '),
        textsOf(line.date).join(', '),
      ]
        .filter(Boolean)
        .join(' · '),
      texts: [
        textOf(line.title),
        ...makers.flatMap((maker) => makerNames.flatMap((name) => textsOf(maker[name]))),
        ...textsOf(line.subject).flatMap((code) => subjectTexts.get(code) ?? [code]),
      ],
      filters: filtersOf(line, libraries.get(id) ?? new Set()),
    }
  })
  const { compare } = new Intl.Collator(translator.language, { numeric: true })
  return zines.sort((a, b) => compare(a.title, b.title) || (a.href < b.href ? -1 : 1))
}

/** The libraries that have a zine, by its identifier. */
function librariesOf(holdings: readonly Line[]): ReadonlyMap<string, ReadonlySet<string>> {
  const libraries = new Map<string, Set<string>>()
  for (const line of holdings) {
    const id = textOf(line.zine_id)
    libraries.set(id, (libraries.get(id) ?? new Set()).add(textOf(line.repository_id)))
  }
  return libraries
}

function filtersOf(line: Line, libraries: ReadonlySet<string>): readonly string[] {
  const decades = yearsOfAll(textsOf(line.date))?.named.map(
    (year) => Math.floor(Number(year) / 10) * 10,
  )
  return [
    ...textsOf(line.subject).map((code) => `subject=${code}`),
    ...textsOf(line.genre).map((code) => `genre=${code}`),
    ...new Set(decades?.map((decade) => `decade=${decade}`)),
    ...[...libraries].map((library) => `repository=${library}`),
  ]
}

/** The values that the zines have, by their labels. */
export function filterChoices(
  { lines, translator, vocabularies }: SearchSource,
  zines: readonly IndexedZine[],
): readonly FilterChoices[] {
  const libraries = new Map(
    (lines.get('repositories') ?? []).map((line) => [
      textOf(line.repo_id),
      textOf(line.repository_name),
    ]),
  )
  const used = [...new Set(zines.flatMap(({ filters }) => filters))]
  const filters: readonly [string, string, (code: string) => string][] = [
    [
      'subject',
      translator.t('Subject'),
      (code) => labelOfCode(translator, vocabularies.subjects, code),
    ],
    ['genre', translator.t('Genre'), (code) => labelOfCode(translator, vocabularies.genres, code)],
    ['decade', translator.t('Decade'), (code) => code],
    ['repository', translator.t('Library'), (code) => libraries.get(code) ?? code],
  ]
  const { compare } = new Intl.Collator(translator.language)
  return filters.map(([name, label, labelOf]) => ({
    name,
    label,
    options: used
      .filter((value) => value.startsWith(`${name}=`))
      .map((value) => value.slice(name.length + 1))
      .map((code) => [code, labelOf(code)] as const)
      .sort(([, a], [, b]) => compare(a, b)),
  }))
}

/** The public names of a maker, by which zines are found. */
const makerNames = [
  'display_name',
  'alternative_names',
  'legal_name',
  'sort_name',
  'agent_id',
] as const

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(textOf).filter(Boolean)
