// The fourth step of an import: what becomes of the values of coded fields, such as subjects.

import { type AnalysedTerm, anyValue } from '../../imports/analysis.js'
import type { SuggestionReason, TermSuggestion } from '../../imports/matching/terms.js'
import type { TermDecision } from '../../imports/profile.js'
import { slugOf } from '../../matching/folding.js'
import type { Field, Resources } from '../../model/resources.js'
import { editingLinks } from '../../views/links.js'
import {
  ImportTermsPage,
  allOf,
  type TermsTab,
  termsPerPage,
  termsTabs,
} from '../../views/pages/import-terms.js'
import type { Endpoint } from '../endpoint.js'
import { codeOf } from './import-fields.js'
import type { Redirect, SubmittedForm } from './form-endpoint.js'
import {
  type AnalysedRequest,
  type ImportPagesDependencies,
  createAnalysedEndpoint,
  pageNumber,
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
      const { one, analysis, ctx } = request
      const query = queryOf(ctx)
      const vocabularies = vocabulariesOf(request)
      const vocabulary = vocabularies.find((name) => name === query.get('of')) ?? vocabularies[0]
      const own = analysis.terms.filter((term) => term.vocabulary === vocabulary)
      const counts = countTabs(own)
      const wanted = termsTabs.find((tab) => tab === query.get('show'))
      const tab = wanted ?? termsTabs.find((name) => counts[name] > 0) ?? 'suggested'
      const all = own.filter((term) => tabOf(term) === tab)
      const last = Math.max(1, Math.ceil(all.length / termsPerPage))
      const page = Math.min(pageNumber(ctx), last)
      const shown = all.slice((page - 1) * termsPerPage, page * termsPerPage)
      return (
        <ImportTermsPage
          {...request}
          {...{ resources, vocabulary, counts, tab, page }}
          vocabularies={vocabularies.map((name) => ({
            name,
            count: analysis.terms.filter(
              (term) => term.vocabulary === name && term.decision === undefined,
            ).length,
          }))}
          terms={shown}
          count={all.length}
          rest={vocabulary === undefined ? undefined : one.profile.terms[vocabulary]?.[anyValue]}
          codedFields={codedFields(resources)}
          lookup={await catalogue.find(
            shown.flatMap(({ decision }) =>
              decision && 'code' in decision && vocabulary === 'repositories'
                ? [{ target: 'repositories', id: decision.code } as const]
                : [],
            ),
          )}
        />
      )
    },
    submit: (request, form) => saveTerms(dependencies, request, form),
  })
}

/** The vocabularies that have terms: those with most to decide first, then those with most terms. */
function vocabulariesOf({ one, analysis }: AnalysedRequest): readonly string[] {
  const open = undecidedTerms(one, analysis)
  const names = [...new Set(analysis.terms.map(({ vocabulary }) => vocabulary))]
  const count = (terms: readonly AnalysedTerm[], name: string): number =>
    terms.filter(({ vocabulary }) => vocabulary === name).length
  return names
    .map((name) => ({ name, open: count(open, name), all: count(analysis.terms, name) }))
    .sort((a, b) => b.open - a.open || b.all - a.all)
    .map(({ name }) => name)
}

function tabOf({ match, decided, decision }: AnalysedTerm): TermsTab {
  if (decided !== undefined) return 'decided'
  if (decision !== undefined || match.kind === 'exact') return 'exact'
  return match.kind
}

function countTabs(terms: readonly AnalysedTerm[]): Readonly<Record<TermsTab, number>> {
  const counts = { suggested: 0, none: 0, decided: 0, exact: 0 }
  for (const term of terms) counts[tabOf(term)] += 1
  return counts
}

/** The fields of zines with a vocabulary, which a term can also go to. */
const codedFields = ({ zines }: Resources): readonly Field[] =>
  zines.inputFields.filter(({ vocabulary }) => vocabulary !== undefined)

type TermDecisions = Record<string, TermDecision | 'none'>

async function saveTerms(
  { imports, resources }: ImportPagesDependencies,
  { one, ctx, analysis }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const vocabulary = form.get('vocabulary') ?? ''
  const known = analysis.terms.filter((term) => term.vocabulary === vocabulary)
  const action = form.get('do') ?? ''
  const decisions =
    restDecisions.get(action)?.(one.profile.terms[vocabulary] ?? {}) ??
    (action === 'accept'
      ? acceptSuggestions(known, resources)
      : readDecisions(known, resources, form))
  if (Object.keys(decisions).length > 0)
    await imports.change(one.id, new Map([['terms', { [vocabulary]: decisions }]]), {
      revision: one.revision,
    })
  const query = queryOf(ctx)
  query.set('of', vocabulary)
  // What was decided goes to another tab, so the next ones are on the same page.
  return { to: `${editingLinks.importStep(one.id, 'terms')}?${query.toString()}`, done: 'saved' }
}

type DecideRest = (known: Readonly<Record<string, TermDecision>>) => TermDecisions

/** Decisions about all values about which nothing else is decided. */
const restDecisions = new Map<string, DecideRest>([
  ['rest-note', () => ({ [anyValue]: { note: true } })],
  ['rest-drop', () => ({ [anyValue]: { drop: true } })],
  ['rest-ask', (known) => (known[anyValue] ? { [anyValue]: 'none' } : {})],
])

/**
 * Decides where the words are the same, in this or in another vocabulary, where a list has nothing but terms, and where one
 * term alone is spelled nearly so.
 */
function acceptSuggestions(terms: readonly AnalysedTerm[], resources: Resources): TermDecisions {
  return Object.fromEntries(
    terms.flatMap(({ match, decision, vocabulary, value }) => {
      if (decision !== undefined || match.kind !== 'suggested') return []
      if (match.all) return [[value, { codes: match.all }] as const]
      const safe = acceptedReasons.map(onlyOne(match.suggestions)).find((one) => one !== undefined)
      const decided =
        safe && toDecision(`${safe.vocabulary}:${safe.code}`, '', value, vocabulary, resources)
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
    const [first, ...others] = suggestions.filter((one) => one.reason === reason)
    return others.length === 0 ? first : undefined
  }

function readDecisions(
  terms: readonly AnalysedTerm[],
  resources: Resources,
  form: SubmittedForm,
): TermDecisions {
  const byValue = new Map(terms.map((term) => [term.value, term]))
  const decisions: TermDecisions = {}
  for (const [index, value] of form.getAll('value').entries()) {
    const term = byValue.get(value)
    if (!term) continue
    const choice = form.get(`do.${index}`) ?? ''
    const text = (form.get(`text.${index}`) ?? '').normalize('NFC').trim()
    const decided = toDecision(choice, text, value, term.vocabulary, resources)
    // What is proposed and was not changed stays a proposal.
    const isProposed = term.decided === undefined && isSame(decided, term.decision)
    if (decided && !isProposed) decisions[value] = decided
    else if (choice === '' && text === '' && term.decided) decisions[value] = 'none'
  }
  return decisions
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * The decision that a choice stands for: `subjects:punk` for a term, `in:genre` for the typed term of a field,
 * and others by their names.
 */
function toDecision(
  choice: string,
  text: string,
  value: string,
  vocabulary: string,
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
      const own = fields.find((one) => one.vocabulary?.name === vocabulary)
      return { code: own ? codeOf(own, text) : text }
    }
    return { field: field.name, code: codeOf(field, text) }
  }
  const [, name = '', code = ''] = /^([\w-]+):(.+)$/.exec(choice) ?? []
  if (code === '') return undefined
  if (name === vocabulary) return { code }
  const field = fields.find((one) => one.vocabulary?.name === name)
  return field ? { field: field.name, code } : undefined
}
