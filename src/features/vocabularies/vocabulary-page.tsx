// The pages of vocabularies: the overview, a vocabulary, an entry, and the concept scheme at the
// address that the IRIs of concepts lead to.

import { Fragment } from 'preact'

import type { Format } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { type VocabularyEntry, type Vocabulary, literalOf } from '../../model/vocabulary.js'
import { dcterms, rdfs, skos } from '../../rdf/namespaces.js'
import { type Term, iri } from '../../rdf/terms.js'
import { Form } from '../../views/form.js'
import { entryPath, isServed, listPath, schemePath } from '../../views/links.js'
import { Layout, type PageContext } from '../../views/layout.js'
import type { Covers } from '../covers/cover.js'
import { RelatedBox, type RelatedRecords } from '../records/record-page.js'
import { FormatLinks, ApiRequest, ApiRequestIn } from '../../views/components/api-request.js'
import { ExternalLink, isWebAddress } from '../../views/components/field-value.js'
import { type TermNode, buildTermTree, countBelow } from './term-tree.js'
import {
  codeLanguage,
  codeText,
  entriesOf,
  languageUnlessOfPage,
  message,
  numberText,
  plural,
  recordCount,
  rich,
  t,
} from '../../views/translate.js'

/**
 * A field that uses the vocabulary: the filter that finds its records, and the count of each code.
 */
export type FieldUsage = {
  readonly name: ResourceName
  readonly filter: string
  readonly counts: ReadonlyMap<string, number>
}

/** A vocabulary in the overview. */
export type VocabularyOverview = {
  readonly title: string
  readonly path: string
  readonly count: number
  readonly description: string
}

/** Vocabularies under a heading. */
export type VocabularyGroup = {
  readonly title: string
  readonly lists: readonly VocabularyOverview[]
}

type VocabularyPageProps = {
  readonly context: PageContext
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const VocabulariesPage = ({
  context,
  title,
  lead,
  groups,
  formats,
  json,
}: VocabularyPageProps & {
  readonly title: string
  readonly lead: string
  /** The heading of the group that has the page's own title is hidden. */
  readonly groups: readonly VocabularyGroup[]
}) => (
  <Layout context={context} title={t(title)} styles={['reference.css']}>
    <header class="page-head">
      <h1>{t(title)}</h1>
    </header>
    <p class="lead">{t(lead)}</p>
    {groups.map((group) => (
      <section key={group.title} class="overview">
        <h2 class={group.title === title ? 'visually-hidden' : 'label'}>{t(group.title)}</h2>
        <ul class="cards">
          {group.lists.map((list) => (
            <li key={list.path}>
              <h3>
                <a href={list.path}>{t(list.title)}</a>{' '}
                <span class="entries">{numberText(list.count)}</span>
              </h3>
              <p>{t(list.description)}</p>
            </li>
          ))}
        </ul>
      </section>
    ))}
    <FormatLinks context={context} formats={formats} />
    <ApiRequest context={context} json={json} />
  </Layout>
)

export const descriptionOf = ({ statementsOfScheme }: Vocabulary): string =>
  literalOf(statementsOfScheme, dcterms('description'))?.value ?? ''

/** The number of entries above which a list is folded. */
const maxUnfolded = 40

export const VocabularyPage = ({
  context,
  vocabulary,
  entries,
  search,
  uses,
  formats,
  json,
}: VocabularyPageProps & {
  readonly vocabulary: Vocabulary
  /** The entries that match the search. */
  readonly entries: readonly VocabularyEntry[]
  readonly search: string
  readonly uses: readonly FieldUsage[]
}) => {
  const { scheme } = vocabulary
  const title = t(vocabulary.title)
  const shown = entriesOf(vocabulary, entries)
  return (
    <Layout context={context} title={title} styles={['reference.css']}>
      <header class="page-head">
        <div>
          <Kicker vocabulary={vocabulary} />
          <h1>{title}</h1>
        </div>
      </header>
      <p class="lead">{t(descriptionOf(vocabulary))}</p>
      <Form method="get" class="controls" action={context.path} role="search" data-live-form>
        <label class="grow">
          <span>{t('Search {title}', { title: title.toLowerCase() })}</span>
          <input type="search" name="search" value={search} autocomplete="off" />
        </label>
        <button>{t('Search')}</button>
      </Form>
      <div data-live>
        <p class="count">
          <strong>{numberText(entries.length)}</strong> {plural(entries.length, 'entry', 'entries')}
        </p>
        {search === '' && entries.length > maxUnfolded ? (
          <FoldedEntries {...{ vocabulary, uses }} entries={shown} />
        ) : (
          <Entries {...{ vocabulary, uses }} entries={shown} />
        )}
        <p class="made">
          {rich('As a concept scheme: {address}', {
            address: <a href={schemePath(vocabulary)}>{scheme.value}</a>,
          })}
        </p>
        <FormatLinks context={context} formats={formats} />
        <ApiRequest context={context} json={json} />
      </div>
    </Layout>
  )
}

/** The entries below their broadest ones, and those without narrower ones by letter. */
const FoldedEntries = ({ entries, ...shared }: EntriesProps) => {
  const nodes = buildTermTree(shared.vocabulary, entries)
  const broad = nodes.filter(({ narrower }) => narrower.length > 0)
  const single = nodes.filter(({ narrower }) => narrower.length === 0)
  const letters = byLetter(single.map(({ entry }) => entry))
  return (
    <>
      {broad.length > 0 && (
        <section>
          <h2 class="label">{t('From broad to narrow')}</h2>
          <div class="folds">
            {broad.map((node) => (
              <details key={node.entry.code}>
                <summary>
                  <TermText vocabulary={shared.vocabulary} entry={node.entry} />{' '}
                  <span class="entries">{numberText(countBelow(node))}</span>
                </summary>
                <TermRows {...shared} nodes={[node]} />
              </details>
            ))}
          </div>
        </section>
      )}
      {letters.length > 0 && (
        <section>
          <h2 class={broad.length > 0 ? 'label' : 'visually-hidden'}>
            {broad.length > 0 ? t('Other terms, by letter') : t('Letters')}
          </h2>
          <div class="folds">
            {letters.map(([letter, within]) => (
              <details key={letter}>
                <summary>
                  {letter} <span class="entries">{numberText(within.length)}</span>
                </summary>
                <TermRows {...shared} nodes={within.map((entry) => ({ entry, narrower: [] }))} />
              </details>
            ))}
          </div>
        </section>
      )}
    </>
  )
}

type TermRowsProps = Omit<EntriesProps, 'entries'> & { readonly nodes: readonly TermNode[] }

/** Terms with their counts alone: their codes and definitions are on their pages. */
const TermRows = ({ nodes, ...shared }: TermRowsProps) => (
  <ul>
    {nodes.map(({ entry, narrower }) => (
      <li key={entry.code}>
        <TermLink {...shared} entry={entry} />
        {narrower.length > 0 && <TermRows {...shared} nodes={narrower} />}
      </li>
    ))}
  </ul>
)

type TermProps = { readonly vocabulary: Vocabulary; readonly entry: VocabularyEntry }

/** The label of an entry that stands in no link. */
const TermText = ({ vocabulary, entry: { code, label } }: TermProps) => (
  <span lang={codeLanguage(vocabulary, code)}>{label}</span>
)

const TermLink = ({ vocabulary, entry, uses }: TermProps & Pick<EntriesProps, 'uses'>) => (
  <>
    <a
      class="term"
      href={entryPath(vocabulary, entry.code)}
      lang={codeLanguage(vocabulary, entry.code)}
    >
      {entry.label}
    </a>
    {uses.map(({ name, filter, counts }) => {
      const count = counts.get(entry.code) ?? 0
      return count === 0 ? null : (
        <Fragment key={`${name} ${filter}`}>
          {' '}
          <a class="used" href={listPath(name, { [filter]: entry.code })}>
            {recordCount(name, count)}
          </a>
        </Fragment>
      )
    })}
  </>
)

const Kicker = ({ vocabulary }: { readonly vocabulary: Vocabulary }) => {
  const isPlace = entryPath(vocabulary).startsWith('/api/geography/')
  return (
    <p class="kicker">
      <a href={isPlace ? '/api/geography/' : '/api/vocabularies/'}>
        {isPlace ? t('Countries, languages and places') : t('Vocabularies')}
      </a>
    </p>
  )
}

/** The entries in their order, grouped by the first letter of their label. */
function byLetter(
  entries: readonly VocabularyEntry[],
): readonly (readonly [string, readonly VocabularyEntry[]])[] {
  const groups = new Map<string, VocabularyEntry[]>()
  for (const entry of entries) {
    const initial = entry.label.normalize('NFD').charAt(0).toUpperCase()
    const letter = /[A-Z]/.test(initial) ? initial : '#'
    const group = groups.get(letter)
    if (group) group.push(entry)
    else groups.set(letter, [entry])
  }
  return [...groups]
}

type EntriesProps = {
  readonly vocabulary: Vocabulary
  readonly entries: readonly VocabularyEntry[]
  readonly uses: readonly FieldUsage[]
}

const Entries = ({ vocabulary, entries, uses }: EntriesProps) => (
  <ul class={entries.some(({ definition }) => definition) ? 'entries-list' : 'entries-list terse'}>
    {entries.map((entry) => (
      <li key={entry.code}>
        <p>
          <TermLink {...{ vocabulary, uses, entry }} /> <code>{entry.code}</code>
        </p>
        <Definition {...{ vocabulary, entry }} class="definition" />
      </li>
    ))}
  </ul>
)

/** In the language that it is written in. */
const Definition = ({
  vocabulary,
  entry: { code, definition },
  class: name,
}: TermProps & { readonly class?: string }) =>
  definition === undefined ? null : (
    <p class={name} lang={languageUnlessOfPage(definitionLanguage(vocabulary, code))}>
      {definition}
    </p>
  )

const definitionLanguage = (vocabulary: Vocabulary, code: string): string =>
  literalOf(vocabulary.statements(code), skos('definition'))?.language ?? ''

type EntryFieldsProps = {
  readonly vocabulary: Vocabulary
  readonly entry: VocabularyEntry
  /** The address of a country's list of places. */
  readonly places?: string | undefined
}

export const EntryPage = ({
  context,
  vocabulary,
  entry,
  related,
  resources,
  covers,
  places,
  formats,
  json,
}: VocabularyPageProps &
  EntryFieldsProps & {
    /** The records that use the entry, one group for each resource. */
    readonly related: readonly RelatedRecords[]
    readonly resources: Resources
    readonly covers: Covers
  }) => (
  <Layout
    context={context}
    title={`${codeText(vocabulary, entry.code)} (${t(vocabulary.title)})`}
    styles={['reference.css']}
  >
    <article class="record">
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href={entryPath(vocabulary)}>{t(vocabulary.title)}</a>
          </p>
          <h1 lang={codeLanguage(vocabulary, entry.code)}>{codeText(vocabulary, entry.code)}</h1>
        </div>
      </header>
      <div class="with-side right list-first">
        <div>
          <Definition {...{ vocabulary, entry }} class="lead" />
          <EntryFields {...{ vocabulary, entry, places }} />
        </div>
        <section aria-label={t('Records')}>
          {related.map((relation) => (
            <RelatedBox key={relation.path} related={relation} {...{ resources, covers }} />
          ))}
          <FormatLinks context={context} formats={formats} />
        </section>
      </div>
      <ApiRequest context={context} json={json} />
    </article>
  </Layout>
)

const EntryFields = ({ vocabulary, entry, places }: EntryFieldsProps) => (
  <dl class="fields">
    <div>
      <dt>{t('Code')}</dt>
      <dd>
        <code>{entry.code}</code>
      </dd>
    </div>
    {propertiesOf(vocabulary, entry).map(({ title, terms }) => (
      <div key={title}>
        <dt>{t(title)}</dt>
        <dd>
          <Terms vocabulary={vocabulary} terms={terms} />
        </dd>
      </div>
    ))}
    {places !== undefined && (
      <div>
        <dt>{t('Places')}</dt>
        <dd>
          <a href={places}>{t('Places in {label}', { label: codeText(vocabulary, entry.code) })}</a>
        </dd>
      </div>
    )}
    <div>
      <dt>IRI</dt>
      <dd>
        <a href={entry.uri}>{entry.uri}</a>
      </dd>
    </div>
  </dl>
)

type EntryProperty = { readonly title: string; readonly terms: readonly Term[] }

// prettier-ignore
const properties = [
  [message('Also called'), skos('altLabel')],
  [message('Scope'), skos('scopeNote')],
  [message('Note'), skos('note')],
  [message('Example'), skos('example')],
  [message('Broader'), skos('broader')],
  [message('Related'), skos('related')],
  [message('The same elsewhere'), skos('exactMatch')],
  [message('Close to'), skos('closeMatch')],
  [message('Broader elsewhere'), skos('broadMatch')],
  [message('Narrower elsewhere'), skos('narrowMatch')],
  [message('Related elsewhere'), skos('relatedMatch')],
  [message('Source'), dcterms('source')],
  [message('See also'), rdfs('seeAlso')],
] as const

/** The properties of an entry beyond its label and definition. */
function propertiesOf(
  vocabulary: Vocabulary,
  { code, uri }: VocabularyEntry,
): readonly EntryProperty[] {
  const statements = vocabulary.statements(code)
  const listed = properties.map(([title, property]) => ({
    title,
    terms: statements
      .filter(({ predicate }) => predicate.equals(property))
      .map(({ object }) => object),
  }))
  // The files only have skos:broader; skos:narrower follows from it.
  const narrower = vocabulary.entries
    .filter((other) =>
      vocabulary
        .statements(other.code)
        .some(({ predicate, object }) => predicate.equals(skos('broader')) && object.value === uri),
    )
    .map((other) => iri(other.uri))
  return [...listed, { title: message('Narrower'), terms: narrower }].filter(
    ({ terms }) => terms.length > 0,
  )
}

const Terms = ({
  vocabulary,
  terms,
}: {
  readonly vocabulary: Vocabulary
  readonly terms: readonly Term[]
}) => {
  const isTags = terms.every((term) => entryOf(vocabulary, term))
  return (
    <ul class={isTags ? 'values tags' : 'values'}>
      {terms.map((term) => {
        const entry = entryOf(vocabulary, term)
        if (entry)
          return (
            <li key={term.value}>
              <a
                href={entryPath(vocabulary, entry.code)}
                lang={codeLanguage(vocabulary, entry.code)}
              >
                {codeText(vocabulary, entry.code)}
              </a>
            </li>
          )
        const language = term.termType === 'Literal' ? term.language : ''
        return (
          <li key={`${term.value} ${language}`} lang={languageUnlessOfPage(language)}>
            {isWebAddress(term.value) ? <ExternalLink href={term.value} /> : term.value}
          </li>
        )
      })}
    </ul>
  )
}

const entryOf = ({ entries }: Vocabulary, term: Term): VocabularyEntry | undefined =>
  term.termType === 'NamedNode' ? entries.find(({ uri }) => uri === term.value) : undefined

/** The concept scheme, with an anchor for each concept, so that its IRI leads to it. */
export const SchemePage = ({
  context,
  vocabulary,
  formats,
  turtle,
}: {
  readonly context: PageContext
  readonly vocabulary: Vocabulary
  readonly formats: readonly Format[]
  /** The document in its default format. */
  readonly turtle: string
}) => {
  const { scheme, entries } = vocabulary
  const title = t(vocabulary.title)
  return (
    <Layout
      context={context}
      title={t('{title}: concept scheme', { title })}
      styles={['reference.css']}
    >
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href="/ns">{t('Linked data')}</a>
          </p>
          <h1>{title}</h1>
        </div>
      </header>
      <p class="lead">{t(descriptionOf(vocabulary))}</p>
      <p class="made">
        {rich('The concept scheme {scheme} and its {count} concepts.', {
          scheme: <code>{scheme.value}</code>,
          count: numberText(entries.length),
        })}{' '}
        {isServed(vocabulary) && (
          <a href={entryPath(vocabulary)}>{t('The list that records use')}</a>
        )}
      </p>
      <dl class="concepts">
        {entriesOf(vocabulary).map((entry) => (
          <div key={entry.code} id={entry.code}>
            <dt>
              {isServed(vocabulary) ? (
                <TermLink vocabulary={vocabulary} entry={entry} uses={[]} />
              ) : (
                <TermText vocabulary={vocabulary} entry={entry} />
              )}{' '}
              <code>{entry.code}</code>
            </dt>
            <dd>
              <Definition {...{ vocabulary, entry }} />
              <p class="iri">{entry.uri}</p>
            </dd>
          </div>
        ))}
      </dl>
      <FormatLinks context={context} formats={formats} />
      <ApiRequestIn context={context} type="text/turtle" text={turtle} />
    </Layout>
  )
}
