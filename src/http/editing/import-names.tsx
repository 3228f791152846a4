// The third step of an import: what becomes of the names of people and groups.

import type { Analysis, AnalysedName } from '../../imports/analysis.js'
import type { NameDecision } from '../../imports/profile.js'
import { editingLinks } from '../../views/links.js'
import {
  ImportNamesPage,
  type NamesTab,
  namesPerPage,
  namesTabs,
  splitMark,
} from '../../views/pages/import-names.js'
import type { Endpoint } from '../endpoint.js'
import type { Redirect, SubmittedForm } from './form-endpoint.js'
import {
  type AnalysedRequest,
  type ImportPagesDependencies,
  createAnalysedEndpoint,
  isNameOpen,
  pageNumber,
  queryOf,
} from './import-step.js'

export const importNamesEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { catalogue, resources } = dependencies
  return createAnalysedEndpoint(dependencies, {
    step: 'names',
    name: 'Names of an Import',
    description: 'What becomes of the names of people and groups.',
    async render(request) {
      const { analysis, ctx } = request
      const counts = countTabs(analysis)
      const wanted = namesTabs.find((tab) => tab === queryOf(ctx).get('show'))
      const tab = wanted ?? (counts.open > 0 ? 'open' : 'new')
      const all = analysis.names.filter((name) => tabOf(name) === tab)
      const last = Math.max(1, Math.ceil(all.length / namesPerPage))
      const page = Math.min(pageNumber(ctx), last)
      const shown = all.slice((page - 1) * namesPerPage, page * namesPerPage)
      const lookup = await catalogue.find(
        shown.flatMap(agentsOf).map((id) => ({ target: 'agents', id }) as const),
      )
      return (
        <ImportNamesPage
          {...request}
          {...{ resources, counts, tab, page, lookup }}
          names={shown}
          count={all.length}
        />
      )
    },
    submit: (request, form) => saveNames(dependencies, request, form),
  })
}

/** The identifiers of all agents that a name may be. */
const agentsOf = ({ match, decision }: AnalysedName): readonly string[] => [
  ...match.found,
  ...match.similar.map(({ id }) => id),
  ...(decision && 'use' in decision ? [decision.use] : []),
]

function tabOf(name: AnalysedName): NamesTab {
  const { decision } = name
  if (isNameOpen(name) || decision === undefined) return 'open'
  if ('use' in decision) return 'found'
  if ('create' in decision || 'hide' in decision) return 'new'
  return 'split' in decision ? 'split' : 'dropped'
}

function countTabs({ names }: Analysis): Readonly<Record<NamesTab, number>> {
  const counts = { open: 0, new: 0, found: 0, split: 0, dropped: 0 }
  for (const name of names) counts[tabOf(name)] += 1
  return counts
}

/** As it is sent: what identifies a hidden maker is made where decisions are checked. */
type SentDecision = NameDecision | { readonly hide: true }

type NameDecisions = Record<string, SentDecision>

async function saveNames(
  { imports }: ImportPagesDependencies,
  { one, analysis, ctx }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const isForAll = form.get('do') === 'accept-all'
  const decisions = isForAll ? acceptAll(analysis) : readDecisions(analysis, form)
  if (Object.keys(decisions).length > 0)
    await imports.change(one.id, new Map([['names', decisions]]), { revision: one.revision })
  const query = queryOf(ctx)
  const here = `${editingLinks.importStep(one.id, 'names')}${query.size > 0 ? `?${query.toString()}` : ''}`
  if (!isForAll) return { to: here, done: 'saved' }
  // Namesakes are not decided by what is proposed.
  const isAnyLeft = analysis.names.some(({ decision }) => decision === undefined)
  return { to: editingLinks.importStep(one.id, isAnyLeft ? 'names' : 'terms'), done: 'saved' }
}

/** Decides all that is proposed, also where a new name is like one that is there. */
function acceptAll({ names }: Analysis): NameDecisions {
  return Object.fromEntries(
    names.flatMap((name) =>
      name.decision && isNameOpen(name) ? spellingsWith(name, name.decision) : [],
    ),
  )
}

const spellingsWith = (
  { spellings }: AnalysedName,
  decision: SentDecision,
): readonly (readonly [string, SentDecision])[] =>
  spellings.map(({ name }) => [name, decision] as const)

/** The decisions of a page; each is for all spellings of a name. */
function readDecisions({ names }: Analysis, form: SubmittedForm): NameDecisions {
  const bySpelling = new Map(names.map((name) => [name.spellings[0]?.name, name]))
  const decisions: NameDecisions = {}
  for (const [index, spelling] of form.getAll('name').entries()) {
    const name = bySpelling.get(spelling)
    const decision = name && readDecision(name, form, index)
    if (!decision) continue
    for (const [one, decided] of spellingsWith(name, decision)) decisions[one] = decided
  }
  return decisions
}

function readDecision(
  { match, decision }: AnalysedName,
  form: SubmittedForm,
  index: number,
): SentDecision | undefined {
  const choice = form.get(`do.${index}`) ?? ''
  const text = (form.get(`text.${index}`) ?? '').normalize('NFC').trim()
  if (choice.startsWith('use:')) return { use: choice.slice('use:'.length) }
  if (choice === 'drop') return { drop: true }
  if (choice === 'parts' && match.parts) return { split: match.parts.names }
  if (choice === 'hide') return decision && 'hide' in decision ? decision : { hide: true }
  if (choice === 'other') return text === '' ? undefined : { use: text }
  if (choice === 'split') {
    const split = text
      .split(splitMark)
      .map((part) => part.trim())
      .filter(Boolean)
    return split.length > 1 ? { split } : undefined
  }
  if (choice !== 'create') return undefined
  const kind = form.get(`kind.${index}`) ?? match.kind
  const name = text === '' ? match.displayName : text
  const proposed = decision && 'create' in decision ? decision.create : undefined
  // The identifier that was proposed is of the name that was proposed.
  return proposed?.display_name === name
    ? { create: { ...proposed, kind } }
    : { create: { display_name: name, kind, ...alternativesIn(proposed) } }
}

const alternativesIn = (proposed: { readonly alternative_names?: readonly string[] } = {}) =>
  proposed.alternative_names ? { alternative_names: proposed.alternative_names } : {}
