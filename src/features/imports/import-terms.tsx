// The fourth step of an import: what becomes of the values of coded fields, such as subjects.

import { type AnalysedTerm, anyValue } from './analysis.js'
import type { SuggestionReason, TermSuggestion } from '../../model/term-lists.js'
import type { TermDecision } from './profile.js'
import { slugOf } from '../../lib/names/folding.js'
import type { Field, Resources } from '../../model/resources.js'
import { editingLinks } from '../../views/links.js'
import { ImportTermsPage, allOf, type TermsTab, termsTabs } from './import-terms-page.js'
import { findFor } from '../../http/request/record-rights.js'
import type { Endpoint } from '../../http/endpoint.js'
import { codeOf } from './import-fields.js'
import type { Redirect, SubmittedForm } from '../../http/form-endpoint.js'
import { type SentRow, chooseDecisions, pageAfter, sentRows } from './import-decisions.js'
import {
  type AnalysedRequest,
  type ImportPagesDependencies,
  createAnalysedEndpoint,
  hereOn,
  isSame,
  queryOf,
  undecidedTerms,
} from './import-step.js'

export const importTermsEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { catalogue, resources } = dependencies
  return createAnalysedEndpoint(dependencies, {
    step: 'terms',
    name: 'Terms of an Import',
    description: 'What becomes of the values of coded fields.',
    async render(request) {
      const { job } = request
      const vocabularies = vocabulariesOf(request)
      const vocabulary = vocabularyOf(request, vocabularies)
      const shown = shownTerms(request, vocabulary)
      const references = shown.items.flatMap(({ decision }) =>
        decision && 'code' in decision && vocabulary === 'repositories'
          ? [{ target: 'repositories', id: decision.code } as const]
          : [],
      )
      return (
        <ImportTermsPage
          {...request}
          {...{ resources, vocabularies, vocabulary, shown }}
          rest={vocabulary === undefined ? undefined : job.profile.terms[vocabulary]?.[anyValue]}
          codedFields={codedFields(resources)}
          lookup={await findFor(catalogue, request.account, references)}
        />
      )
    },
    submit: (request, form) => saveTerms(dependencies, request, form),
  })
}

type VocabularyCount = { readonly name: string; readonly open: number; readonly all: number }

/**
 * The vocabularies that have terms, those with most terms first, with how many are left to decide.
 */
function vocabulariesOf({ job, analysis }: AnalysedRequest): readonly VocabularyCount[] {
  const open = undecidedTerms(job, analysis)
  const names = [...new Set(analysis.terms.map(({ vocabulary }) => vocabulary))]
  const count = (terms: readonly AnalysedTerm[], name: string): number =>
    terms.filter(({ vocabulary }) => vocabulary === name).length
  return names
    .map((name) => ({ name, open: count(open, name), all: count(analysis.terms, name) }))
    .sort((a, b) => b.all - a.all)
}

/** The vocabulary that the address names, or else the first one with something to decide. */
function vocabularyOf(
  { ctx }: AnalysedRequest,
  vocabularies: readonly VocabularyCount[],
): string | undefined {
  const nameParam = queryOf(ctx).get('of')
  const chosen =
    vocabularies.find(({ name }) => name === nameParam) ??
    vocabularies.find(({ open }) => open > 0) ??
    vocabularies[0]
  return chosen?.name
}

const shownTerms = ({ ctx, analysis }: AnalysedRequest, vocabulary: string | undefined) =>
  chooseDecisions(
    ctx,
    analysis.terms.filter((term) => term.vocabulary === vocabulary),
    {
      tabs: termsTabs,
      tabOf,
      first: (counts) => termsTabs.find((name) => counts[name] > 0) ?? 'suggested',
    },
  )

function tabOf({ match, decided, decision }: AnalysedTerm): TermsTab {
  if (decided !== undefined) return 'decided'
  if (decision !== undefined || match.kind === 'exact') return 'exact'
  return match.kind
}

/** The fields of zines with a vocabulary, which a term can also go to. */
const codedFields = ({ zines }: Resources): readonly Field[] =>
  zines.inputFields.filter(({ vocabulary }) => vocabulary !== undefined)

type TermDecisions = Readonly<Record<string, TermDecision | 'none'>>

async function saveTerms(
  { imports, resources }: ImportPagesDependencies,
  request: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const { job, ctx, analysis } = request
  const vocabulary = form.get('vocabulary') ?? ''
  const action = form.get('do') ?? ''
  const known = analysis.terms.filter((term) => term.vocabulary === vocabulary)
  const chosen = readDecisions(known, resources, form)
  const accepted = action === 'accept' ? acceptSuggestions(known, resources) : {}
  const rest = action === 'rest-ask' ? askAgain(request, vocabulary) : restDecisions.get(action)
  const decided = {
    ...(rest && action !== 'rest-ask' && form.has('all-lists') ? decideOpen(request, rest) : {}),
    [vocabulary]: { ...accepted, ...chosen, ...rest },
  }
  const changed = Object.entries(decided).filter(([, terms]) => Object.keys(terms).length > 0)
  if (changed.length > 0)
    await imports.change(job.id, new Map([['terms', Object.fromEntries(changed)]]), {
      revision: job.revision,
    })
  // What was decided goes to another tab, so the next ones are on the same page.
  const to = action === 'go-on' ? pageAfterTerms(request, chosen) : hereOn(ctx, job, 'terms')
  return { to, done: 'saved' }
}

/** Decisions about all values about which nothing else is decided. */
const restDecisions = new Map<string, TermDecisions>([
  ['rest-note', { [anyValue]: { note: true } }],
  ['rest-drop', { [anyValue]: { drop: true } }],
])

const askAgain = ({ job }: AnalysedRequest, vocabulary: string): TermDecisions =>
  job.profile.terms[vocabulary]?.[anyValue] ? { [anyValue]: 'none' } : {}

/** The same for the vocabularies that have something left to decide. */
const decideOpen = (
  request: AnalysedRequest,
  rest: TermDecisions,
): Readonly<Record<string, TermDecisions>> =>
  Object.fromEntries(
    vocabulariesOf(request)
      .filter(({ open }) => open > 0)
      .map(({ name }) => [name, rest]),
  )

/**
 * What comes after a page: terms that are left in its tab, then in the tab after it, then in other
 * lists; or the preview.
 */
function pageAfterTerms(request: AnalysedRequest, chosen: TermDecisions): string {
  const { job } = request
  const vocabularies = vocabulariesOf(request)
  const current = vocabularyOf(request, vocabularies)
  const at = vocabularies.findIndex(({ name }) => name === current)
  const shown = shownTerms(request, current)
  const linkTo = (parameters: Readonly<Record<string, string>>): string =>
    editingLinks.importStep(job.id, 'terms', parameters)
  if (current !== undefined && (vocabularies[at]?.open ?? 0) > 0) {
    const isOpen = shown.tab === 'suggested' || shown.tab === 'none'
    const page = isOpen ? pageAfter(shown, ({ value }) => Object.hasOwn(chosen, value)) : undefined
    if (page !== undefined) return linkTo({ of: current, show: shown.tab, page: String(page) })
    if (shown.tab === 'suggested' && shown.counts.none > 0)
      return linkTo({ of: current, show: 'none' })
  }
  const next = vocabularies.slice(at + 1).find(({ open }) => open > 0)
  return next ? linkTo({ of: next.name }) : editingLinks.importStep(job.id, 'preview')
}

/**
 * Decides where the words are the same, in this or in another vocabulary, where a list has nothing
 * but terms, and where one term alone is spelled nearly so.
 */
function acceptSuggestions(terms: readonly AnalysedTerm[], resources: Resources): TermDecisions {
  return Object.fromEntries(
    terms.flatMap((term) => {
      const { match, decision, value } = term
      if (decision !== undefined || match.kind !== 'suggested') return []
      if (match.all) return [[value, { codes: match.all }] as const]
      const safe = acceptedReasons
        .map(onlyOne(match.suggestions))
        .find((suggestion) => suggestion !== undefined)
      const decided =
        safe && toDecision({ choice: `${safe.vocabulary}:${safe.code}`, text: '' }, term, resources)
      return decided ? [[value, decided] as const] : []
    }),
  )
}

/** The surest first. */
const acceptedReasons: readonly SuggestionReason[] = ['elsewhere', 'heading', 'spelling']

/** The suggestion with a reason, if there are no others with it. */
const onlyOne =
  (suggestions: readonly TermSuggestion[]) =>
  (reason: SuggestionReason): TermSuggestion | undefined => {
    const [first, ...others] = suggestions.filter((suggestion) => suggestion.reason === reason)
    return others.length === 0 ? first : undefined
  }

function readDecisions(
  terms: readonly AnalysedTerm[],
  resources: Resources,
  form: SubmittedForm,
): TermDecisions {
  const byValue = new Map(terms.map((term) => [term.value, term]))
  const decisions = new Map<string, TermDecision | 'none'>()
  for (const { of: value, choice, text } of sentRows(form, 'value')) {
    const term = byValue.get(value)
    if (!term) continue
    const decided = toDecision({ choice, text }, term, resources)
    // What is proposed and was not changed stays a proposal.
    const isProposed = term.decided === undefined && isSame(decided, term.decision)
    if (decided && !isProposed) decisions.set(value, decided)
    else if (choice === '' && text === '' && term.decided) decisions.set(value, 'none')
  }
  return Object.fromEntries(decisions)
}

/**
 * The decision that a choice stands for: `subjects:punk` for a term, `in:genre` for the typed term
 * of a field, and others by their names.
 */
function toDecision(
  { choice, text }: Pick<SentRow, 'choice' | 'text'>,
  { value, vocabulary }: AnalysedTerm,
  resources: Resources,
): TermDecision | undefined {
  if (choice === 'note') return { note: true }
  if (choice.startsWith(allOf)) return { codes: choice.slice(allOf.length).split(' ') }
  if (choice === 'drop') return { drop: true }
  if (choice === 'create') {
    const label = text === '' ? value : text
    const code = slugOf(label)
    return code === '' ? undefined : { create: { code, label } }
  }
  const fields = codedFields(resources)
  const inField = /^in:(.+)$/.exec(choice)?.[1]
  if (inField !== undefined || (choice === '' && text !== '')) {
    const field = fields.find(({ name }) => name === inField)
    if (text === '') return undefined
    if (!field || field.vocabulary?.name === vocabulary) {
      const ownField = fields.find((candidate) => candidate.vocabulary?.name === vocabulary)
      return { code: ownField ? codeOf(ownField, text) : text }
    }
    return { field: field.name, code: codeOf(field, text) }
  }
  const [, name = '', code = ''] = /^([\w-]+):(.+)$/.exec(choice) ?? []
  if (code === '') return undefined
  if (name === vocabulary) return { code }
  const field = fields.find((candidate) => candidate.vocabulary?.name === name)
  return field ? { field: field.name, code } : undefined
}
