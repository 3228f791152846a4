// The third step of an import: what becomes of the names of people and groups.

import { type Message, message } from '../../message.js'
import type { Analysis, AnalysedName } from './analysis.js'
import { ProfileError } from './mapping/profile-parser.js'
import type { NameDecision } from './profile.js'
import { editingLinks } from '../../views/links.js'
import { ImportNamesPage, type NamesTab, namesTabs, splitMark } from './import-names-page.js'
import type { Account } from '../../accounts/accounts.js'
import { findFor } from '../../http/request/record-rights.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { Redirect, SubmittedForm } from '../../http/form-endpoint.js'
import { type SentRow, chooseDecisions, pageAfter, sentRows } from './import-decisions.js'
import {
  type AnalysedRequest,
  type ImportPagesDependencies,
  createAnalysedEndpoint,
  hereOn,
  isNameOpen,
  isSame,
} from './import-step.js'

export const importNamesEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { catalogue, resources } = dependencies
  return createAnalysedEndpoint(dependencies, {
    step: 'names',
    name: 'Names of an Import',
    description: 'What becomes of the names of people and groups.',
    async render(request) {
      const shown = shownNames(request)
      const lookup = await findFor(
        catalogue,
        request.account,
        shown.items.flatMap(agentsOf).map((id) => ({ target: 'agents', id }) as const),
      )
      const proposed = request.analysis.names.filter(isProposed).length
      return <ImportNamesPage {...request} {...{ resources, shown, proposed, lookup }} />
    },
    submit: (request, form) => saveNames(dependencies, request, form),
  })
}

const shownNames = ({ ctx, analysis }: AnalysedRequest) =>
  chooseDecisions(ctx, analysis.names, {
    tabs: namesTabs,
    tabOf,
    first: (counts) => (counts.open > 0 ? 'open' : 'new'),
  })

/** The identifiers of all agents that a name may be. */
const agentsOf = ({ match, decision }: AnalysedName): readonly string[] => [
  ...match.exact,
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

/** As it is sent: what identifies a hidden maker is made where decisions are checked. */
type SentDecision = NameDecision | { readonly hide: true }

type NameDecisions = Record<string, SentDecision>

async function saveNames(
  dependencies: ImportPagesDependencies,
  request: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const { job, analysis, ctx } = request
  const action = form.get('do')
  const chosen = readChoices(analysis, form, action === 'go-on')
  const mistakes = await findMistakes(dependencies, request.account, chosen)
  const decisions: NameDecisions = {
    ...(action === 'accept-all' ? acceptAll(analysis) : {}),
    ...Object.fromEntries(
      chosen.flatMap(({ name, decision }) =>
        decision && !mistakes.has(name) ? spellingsWith(name, decision) : [],
      ),
    ),
  }
  if (Object.keys(decisions).length > 0)
    await dependencies.imports.change(job.id, new Map([['names', decisions]]), {
      revision: job.revision,
    })
  // What could be understood is saved all the same.
  if (mistakes.size > 0) throw new ProfileError([...mistakes.values()])
  const isDecided = ({ spellings }: AnalysedName): boolean =>
    Object.hasOwn(decisions, spellings[0]?.name ?? '')
  const next = nextPages.get(action ?? '')?.(request, isDecided)
  if (!next) return { to: hereOn(ctx, job, 'names'), done: 'saved' }
  return { to: editingLinks.importStep(job.id, ...next), done: 'saved' }
}

type Next =
  Parameters<typeof editingLinks.importStep> extends [string, ...infer Rest] ? Rest : never

/** Where the buttons lead that go on: to names that are left, or to the terms. */
const nextPages = new Map<
  string,
  (request: AnalysedRequest, isDecided: (name: AnalysedName) => boolean) => Next
>([
  [
    'go-on',
    (request, isDecided) => {
      const shown = shownNames(request)
      const page = shown.tab === 'open' ? pageAfter(shown, isDecided) : undefined
      return page === undefined ? ['terms'] : ['names', { show: 'open', page: String(page) }]
    },
  ],
  [
    'accept-all',
    ({ analysis }, isDecided) =>
      analysis.names.some((name) => name.decision === undefined && !isDecided(name))
        ? ['names']
        : ['terms'],
  ],
])

/** Whether a name that is to be decided has a proposal: namesakes have none. */
const isProposed = (
  name: AnalysedName,
): name is AnalysedName & { readonly decision: NameDecision } =>
  name.decision !== undefined && isNameOpen(name)

/** Decides all that is proposed, also where a new name is like one that is there. */
function acceptAll({ names }: Analysis): NameDecisions {
  return Object.fromEntries(
    names.flatMap((name) => (isProposed(name) ? spellingsWith(name, name.decision) : [])),
  )
}

const spellingsWith = (
  { spellings }: AnalysedName,
  decision: SentDecision,
): readonly (readonly [string, SentDecision])[] =>
  spellings.map(({ name }) => [name, decision] as const)

/** What a form says of a name: a decision, or a mistake. */
type Choice = {
  readonly name: AnalysedName
  readonly decision?: SentDecision | undefined
  readonly mistake?: Message
}

/**
 * What was chosen on a page.
 * @param isConfirmed whether what was proposed and is as it was counts as chosen
 */
function readChoices(
  { names }: Analysis,
  form: SubmittedForm,
  isConfirmed: boolean,
): readonly Choice[] {
  const bySpelling = new Map(names.map((name) => [name.spellings[0]?.name, name]))
  return sentRows(form, 'name').flatMap((row) => {
    const name = bySpelling.get(row.of)
    const choice = name && { name, ...readChoice(name, row) }
    if (!choice) return []
    const isUnchanged = choice.mistake === undefined && isSame(choice.decision, name.decision)
    return isUnchanged && !(isConfirmed && isNameOpen(name)) ? [] : [choice]
  })
}

function readChoice(
  { displayName, match, decision }: AnalysedName,
  { choice, text, kind = match.kind }: SentRow,
): Omit<Choice, 'name'> {
  if (choice.startsWith('use:')) return { decision: { use: choice.slice('use:'.length) } }
  if (choice === 'drop') return { decision: { drop: true } }
  if (choice === 'parts' && match.parts) return { decision: { split: match.parts.names } }
  if (choice === 'hide')
    return { decision: decision && 'hide' in decision ? decision : { hide: true } }
  if (choice === 'other')
    return text === ''
      ? {
          mistake: message('"{name}": Enter the identifier of a maker.', { name: displayName }),
        }
      : { decision: { use: text } }
  if (choice === 'split') {
    const split = text
      .split(splitMark)
      .map((part) => part.trim())
      .filter(Boolean)
    return split.length > 1
      ? { decision: { split } }
      : {
          mistake: message('"{name}": Put | between the names.', { name: displayName }),
        }
  }
  if (choice !== 'create') return {}
  const name = text === '' ? match.displayName : text
  const proposed = decision && 'create' in decision ? decision.create : undefined
  // The identifier that was proposed is of the name that was proposed.
  return {
    decision:
      proposed?.display_name === name
        ? { create: { ...proposed, kind } }
        : { create: { display_name: name, kind, ...alternativesIn(proposed) } },
  }
}

/** What is wrong with choices, as sentences; makers that were chosen have to be there. */
async function findMistakes(
  { catalogue }: ImportPagesDependencies,
  account: Account,
  choices: readonly Choice[],
): Promise<ReadonlyMap<AnalysedName, Message>> {
  const used = choices.flatMap(({ decision }) =>
    decision && 'use' in decision ? [{ target: 'agents', id: decision.use } as const] : [],
  )
  const lookup = await findFor(catalogue, account, used)
  const mistakeOf = ({ name, decision, mistake }: Choice): Message | undefined =>
    mistake ??
    (decision && 'use' in decision && !lookup({ target: 'agents', id: decision.use })
      ? message('"{name}": There is no maker with the identifier "{id}".', {
          name: name.displayName,
          id: decision.use,
        })
      : undefined)
  return new Map(
    choices.flatMap((choice) => {
      const mistake = mistakeOf(choice)
      return mistake === undefined ? [] : [[choice.name, mistake] as const]
    }),
  )
}

const alternativesIn = (proposed: { readonly alternative_names?: readonly string[] } = {}) =>
  proposed.alternative_names ? { alternative_names: proposed.alternative_names } : {}
