// The fourth step of an import: the values of coded fields by frequency, with what the vocabularies
// have like them, and what becomes of each.

import type { AnalysedTerm } from './analysis.js'
import type { SuggestionReason } from '../../model/term-lists.js'
import type { TermDecision } from './profile.js'
import { translatedVocabularies } from '../../messages/labels.js'
import { labelOfReference } from '../../model/record/title.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { Option } from '../../views/components/select.js'
import { ImportPage, type ImportPageProps, Tabs, timeCount } from './import-layout.js'
import { editingLinks, titleCase } from '../../views/links.js'
import {
  codeText,
  labelled,
  message,
  numberText,
  plural,
  richPlural,
  t,
} from '../../views/translate.js'
import {
  DecisionRow,
  Decisions,
  type ShownDecisions,
  decisionsForm,
} from './import-decisions-page.js'

/**
 * What terms are told apart by: with suggestions, without, decided by people, and found exactly.
 */
export const termsTabs = ['suggested', 'none', 'decided', 'exact'] as const

export type TermsTab = (typeof termsTabs)[number]

/** What begins the choice of several codes, which have a space between them. */
export const allOf = 'all:'

type ImportTermsProps = ImportPageProps & {
  readonly resources: Resources
  /** The names of the vocabularies that have terms, and how many are left to decide. */
  readonly vocabularies: readonly { readonly name: string; readonly open: number }[]
  /** Undefined where the source has no terms at all. */
  readonly vocabulary: string | undefined
  readonly shown: ShownDecisions<TermsTab, AnalysedTerm>
  /** What was decided about all others. */
  readonly rest: TermDecision | undefined
  readonly codedFields: readonly Field[]
  readonly lookup: RecordLookup
}

const tabLabels: Readonly<Record<TermsTab, string>> = {
  suggested: message('Like a term'),
  none: message('Unknown|terms'),
  decided: message('Decided'),
  exact: message('Found exactly'),
}

export const ImportTermsPage = (props: ImportTermsProps) => {
  const { job, vocabulary, vocabularies } = props
  if (vocabulary === undefined)
    return (
      <ImportPage {...props} step="terms">
        <p class="lead">{t('No field of the file goes to a field with a list of terms.')}</p>
        <p class="actions">
          <a class="button" href={editingLinks.importStep(job.id, 'preview')}>
            {t('Next: preview')}
          </a>
        </p>
      </ImportPage>
    )
  return (
    <ImportPage {...props} step="terms" form={decisionsForm}>
      {vocabularies.length > 1 && (
        <Tabs
          label={t('Lists of terms')}
          current={vocabulary}
          tabs={vocabularies.map(({ name, open }) => ({
            name,
            label: vocabularyLabel(name),
            count: open,
          }))}
          hrefOf={(name) => editingLinks.importStep(job.id, 'terms', { of: name })}
          form={decisionsForm}
        />
      )}
      <TermList {...props} vocabulary={vocabulary} />
    </ImportPage>
  )
}

const vocabularyLabel = (name: string): string => t(vocabularyTitles[name] ?? titleCase(name))

/** What the lists of terms are called: their names, in words. */
const vocabularyTitles: Readonly<Record<string, string>> = {
  repositories: message('Libraries'),
  subjects: message('Subjects'),
  genres: message('Genres'),
  languages: message('Languages'),
  formats: message('Formats'),
  'content-advice': message('Content advice'),
  countries: message('Countries'),
  'access-status': message('Access status'),
  'rights-status': message('Rights status'),
}

const TermList = (props: ImportTermsProps & { readonly vocabulary: string }) => {
  const { vocabulary, shown } = props
  const { counts, tab, items } = shown
  return (
    <Decisions
      {...props}
      step="terms"
      query={{ of: vocabulary }}
      label={vocabularyLabel(vocabulary)}
      tabs={termsTabs
        .filter((name) => counts[name] > 0)
        .map((name) => ({ name, label: t(tabLabels[name]) }))}
      columns={[t('In the file'), t('Becomes'), t('Term, if you type it')]}
      head={
        <>
          <input type="hidden" name="vocabulary" value={vocabulary} />
          <Rest {...props} />
        </>
      }
      hint={t(
        'The most frequent come first. To take a term that is not offered, choose its list and type the term.',
      )}
      actions={
        tab === 'suggested' && (
          <button class="quiet" name="do" value="accept">
            {t('Take the same words and spellings for all {count}', {
              count: numberText(counts.suggested),
            })}
          </button>
        )
      }
    >
      {items.map((term, index) => (
        <TermRow key={term.value} {...props} term={term} index={index} />
      ))}
    </Decisions>
  )
}

/** What is done with all terms about which nothing is decided. */
const Rest = ({ vocabulary, vocabularies, shown: { counts }, rest }: ImportTermsProps) => {
  const open = counts.suggested + counts.none
  const isNote = rest !== undefined && 'note' in rest
  const isLeftElsewhere = vocabularies.some((other) => other.name !== vocabulary && other.open > 0)
  if (open === 0)
    return vocabularies.every((other) => other.open === 0) ? (
      <p class="lead">{t('Nothing is left to decide.')}</p>
    ) : null
  return (
    <div class="rest">
      <p>
        {rest === undefined ? (
          <>
            <strong>
              {plural(open, '{count} term is not decided.', '{count} terms are not decided.')}
            </strong>{' '}
            {t('Decide the frequent ones below. And the rest?')}
          </>
        ) : (
          richPlural(
            open,
            'The {count} term about which nothing is decided {outcome}.',
            'The {count} terms about which nothing is decided {outcome}.',
            { outcome: <strong>{isNote ? t('become public notes') : t('are left out')}</strong> },
          )
        )}
      </p>
      <p class="actions">
        {isLeftElsewhere && (
          <label class="choice">
            <input type="checkbox" name="all-lists" value="yes" />
            {t('In the other lists too')}
          </label>
        )}
        {!isNote && (
          <button class="quiet small" name="do" value="rest-note">
            {t('Keep the rest as public notes')}
          </button>
        )}
        {(rest === undefined || isNote) && (
          <button class="quiet small" name="do" value="rest-drop">
            {t('Leave the rest out')}
          </button>
        )}
        {rest !== undefined && (
          <button class="quiet small" name="do" value="rest-ask">
            {t('Ask again')}
          </button>
        )}
      </p>
    </div>
  )
}

type TermRowProps = ImportTermsProps & { readonly term: AnalysedTerm; readonly index: number }

const TermRow = (props: TermRowProps) => {
  const { term, index, codedFields } = props
  const { value, count, decision, vocabulary } = term
  const chosen = choiceOf(decision, vocabulary, codedFields)
  return (
    <DecisionRow
      index={index}
      of={{ name: 'value', value }}
      label={value}
      head={
        <>
          <span dir="auto">{value}</span>
          <span class="hint">{timeCount(count)}</span>
        </>
      }
      options={[
        ['', t('Not decided')],
        ...knownTerms(props, chosen),
        ...typedTerms(props),
        ['create', t('New local term')],
        ['note', t('Public note')],
        ['drop', t('Left out')],
      ]}
      chosen={chosen}
      text={{
        label: t('Term for {name}', { name: value }),
        value: decision && 'create' in decision ? decision.create.label : '',
      }}
    />
  )
}

/** The terms that a value may be, and the one that was typed before. */
function knownTerms(
  { term: { match, decision, vocabulary }, codedFields, resources, lookup }: TermRowProps,
  chosen: string,
): readonly Option[] {
  const vocabularyOf = (name: string): Vocabulary | undefined =>
    codedFields.find((field) => field.vocabulary?.name === name)?.vocabulary
  const labelOf = (choice: string): string => {
    const [name = '', code = ''] = choice.split(':')
    return name === 'repositories'
      ? labelOfReference(resources, lookup, { target: 'repositories', id: code })
      : codeText(vocabularyOf(name), code)
  }
  const labelIn = (name: string, { code, label }: { code: string; label: string }): string => {
    const known = vocabularyOf(name)
    return known ? codeText(known, code) : translatedVocabularies.has(name) ? t(label) : label
  }
  const exact: readonly Option[] =
    match.kind === 'exact' ? [[`${vocabulary}:${match.code}`, labelIn(vocabulary, match)]] : []
  const suggested = (match.kind === 'suggested' ? match.suggestions : []).map(
    (suggestion): Option => [
      `${suggestion.vocabulary}:${suggestion.code}`,
      suggestion.vocabulary === vocabulary
        ? `${labelIn(vocabulary, suggestion)} (${t(reasonWords[suggestion.reason])})`
        : labelled(
            vocabularyNoun(suggestion.vocabulary, codedFields),
            labelIn(suggestion.vocabulary, suggestion),
          ),
    ],
  )
  const isTyped =
    chosen.includes(':') &&
    !chosen.startsWith(allOf) &&
    ![...exact, ...suggested].some(([value]) => value === chosen)
  const proposed = match.kind === 'suggested' ? match.all : undefined
  const codes = decision && 'codes' in decision ? decision.codes : proposed
  const terms = codes?.map((code) => labelOf(`${vocabulary}:${code}`)).join(' · ') ?? ''
  return [
    ...(isTyped ? [[chosen, labelOf(chosen)] as const] : []),
    ...exact,
    ...(codes ? [[allOf + codes.join(' '), t('All of them: {terms}', { terms })] as const] : []),
    ...suggested,
  ]
}

/** The fields for which a term can be typed, that of the value first. */
function typedTerms({ term: { vocabulary }, codedFields }: TermRowProps): readonly Option[] {
  const ownField = codedFields.find((field) => field.vocabulary?.name === vocabulary)
  const typed = ({ name, formLabel }: Field): Option => [
    `in:${name}`,
    t('{label}, typed', { label: t(formLabel) }),
  ]
  return [
    ownField ? typed(ownField) : ['in:', t('Identifier, typed')],
    ...codedFields.filter((field) => field.vocabulary?.name !== vocabulary).map(typed),
  ]
}

/** The value of the select for a decision. */
function choiceOf(
  decision: TermDecision | undefined,
  vocabulary: string,
  codedFields: readonly Field[],
): string {
  if (!decision) return ''
  if ('note' in decision) return 'note'
  if ('drop' in decision) return 'drop'
  if ('create' in decision) return 'create'
  if ('codes' in decision) return allOf + decision.codes.join(' ')
  if (!('field' in decision)) return `${vocabulary}:${decision.code}`
  const field = codedFields.find(({ name }) => name === decision.field)
  return `${field?.vocabulary?.name ?? ''}:${decision.code}`
}

function vocabularyNoun(name: string, fields: readonly Field[]): string {
  const field = fields.find(({ vocabulary }) => vocabulary?.name === name)
  return field ? t(field.formLabel) : vocabularyLabel(name)
}

const reasonWords: Readonly<Record<SuggestionReason, string>> = {
  heading: message('the main heading'),
  part: message('a part of it'),
  spelling: message('other spelling'),
  broader: message('broader'),
  narrower: message('narrower'),
  ambiguous: message('one of several'),
  elsewhere: message('the same words'),
}
