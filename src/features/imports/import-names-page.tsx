// The third step of an import: names of people and groups with what the catalogue has like them,
// and what becomes of each.

import type { AnalysedName } from './analysis.js'
import { labelOfReference } from '../../model/record/title.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { type Option, Select, codeOptions } from '../../views/components/select.js'
import { ImportPage, type ImportPageProps, timeCount } from './import-layout.js'
import { recordPath } from '../../views/links.js'
import { labelled, message, messageText, plural, rich, t } from '../../views/translate.js'
import {
  DecisionRow,
  Decisions,
  type ShownDecisions,
  decisionsForm,
} from './import-decisions-page.js'

/**
 * What names are told apart by: those to decide, and those that will be made, used, split or left
 * out.
 */
export const namesTabs = ['open', 'new', 'found', 'split', 'dropped'] as const

export type NamesTab = (typeof namesTabs)[number]

/** Between the names that a name is split into. */
export const splitMark = '|'

type ImportNamesProps = ImportPageProps & {
  readonly resources: Resources
  readonly shown: ShownDecisions<NamesTab, AnalysedName>
  /** How many of the names to decide have a proposal. */
  readonly proposed: number
  readonly lookup: RecordLookup
}

const tabLabels: Readonly<Record<NamesTab, string>> = {
  open: message('To decide'),
  new: message('New makers'),
  found: message('In the catalogue|names'),
  split: message('Several names'),
  dropped: message('Left out|names'),
}

const tabHints: Readonly<Record<NamesTab, string>> = {
  open: message(
    'The catalogue has a maker with a similar name, or several with this name. Is it the same?',
  ),
  new: message('These makers will be created. Check whether each is a person or a group.'),
  found: message('The catalogue has makers with exactly these names.'),
  split: message('Each of these will be split into several names.'),
  dropped: message('These names are left out. They stay in the original rows.'),
}

export const ImportNamesPage = (props: ImportNamesProps) => {
  const { shown, proposed } = props
  const { tab, counts, items } = shown
  return (
    <ImportPage {...props} step="names" form={decisionsForm}>
      <Decisions
        {...props}
        step="names"
        label={t('Names')}
        tabs={namesTabs
          .filter((name) => counts[name] > 0 || name === 'open')
          .map((name) => ({ name, label: t(tabLabels[name]) }))}
        columns={[t('In the file'), t('Becomes'), t('Name'), t('Kind')]}
        head={
          <p class="lead">
            {items.length === 0 && tab === 'open'
              ? t('Nothing is left to decide.')
              : t(tabHints[tab])}
          </p>
        }
        hint={rich(
          'New maker: change the name if you like. Several names: put {bar} between them. Existing maker: enter the identifier.',
          { bar: <code>|</code> },
        )}
        actions={
          proposed > 0 && (
            <button class="quiet" name="do" value="accept-all">
              {plural(
                proposed,
                'Accept what is proposed for {count} name and continue',
                'Accept what is proposed for all {count} names and continue',
              )}
            </button>
          )
        }
      >
        {items.map((name, index) => (
          <NameRow key={index} {...props} name={name} index={index} />
        ))}
      </Decisions>
    </ImportPage>
  )
}

type NameRowProps = ImportNamesProps & { readonly name: AnalysedName; readonly index: number }

const NameRow = ({ name, index, resources, lookup }: NameRowProps) => {
  const { displayName, spellings, match, decision } = name
  const label = displayName === '' ? t('No name given') : displayName
  const nameOf = (id: string): string =>
    labelOfReference(resources, lookup, { target: 'agents', id })
  const chosen = choiceOf(decision)
  return (
    <DecisionRow
      index={index}
      of={{ name: 'name', value: spellings[0]?.name ?? '' }}
      label={label}
      head={<InTheFile name={name} label={label} />}
      options={optionsFor(name, chosen, nameOf)}
      chosen={chosen}
      below={<Found ids={[...match.exact, ...match.similar.map(({ id }) => id)]} nameOf={nameOf} />}
      text={{ label: t('Name for {name}', { name: label }), value: textOf(name) }}
    >
      <td>
        <Select
          name={`kind.${index}`}
          aria-label={t('Kind of {name}', { name: label })}
          value={decision && 'create' in decision ? decision.create.kind : match.kind}
          options={codeOptions(resources.agents.byName.get('kind')?.vocabulary)}
        />
      </td>
    </DecisionRow>
  )
}

/** A name with how often and how it is written in the file, and with what was found out about it. */
const InTheFile = ({
  name: { spellings, count, remarks, decision },
  label,
}: {
  readonly name: AnalysedName
  readonly label: string
}) => (
  <>
    <span dir="auto">{label}</span>
    <span class="hint">
      {spellings.length > 1
        ? labelled(
            timeCount(count),
            spellings
              .map((spelling) => (spelling.name === '' ? t('(empty)') : spelling.name))
              .join(' · '),
          )
        : timeCount(count)}
    </span>
    {decision && 'create' in decision && decision.create.wikidata !== undefined && (
      <a class="hint" href={`https://www.wikidata.org/wiki/${decision.create.wikidata}`}>
        {`Wikidata ${decision.create.wikidata}`}
      </a>
    )}
    {remarks.map((remark) => (
      <span key={remark} class="hint">
        {messageText(remark)}
      </span>
    ))}
  </>
)

/** The value of the select for a decision. */
function choiceOf(decision: AnalysedName['decision']): string | undefined {
  if (decision === undefined) return ''
  if ('use' in decision) return `use:${decision.use}`
  return (['create', 'split', 'hide', 'drop'] as const).find((choice) => choice in decision)
}

/** What may become of a name: makers that it may be, the chosen one among them, or something else. */
function optionsFor(
  { match, decision }: AnalysedName,
  chosen: string | undefined,
  nameOf: (id: string) => string,
): readonly Option[] {
  const known = (id: string, name: string): Option => [
    `use:${id}`,
    t('In the catalogue: {name}', { name }),
  ]
  const used = decision && 'use' in decision ? decision.use : undefined
  const isOther =
    used !== undefined &&
    !match.exact.includes(used) &&
    !match.similar.some(({ id }) => id === used)
  return [
    ...(decision === undefined ? [['', t('Choose …')] as const] : []),
    ...match.exact.map((id) => known(id, `${nameOf(id)} (${id})`)),
    ...match.similar.map(({ id, reason }) => known(id, `${nameOf(id)} (${messageText(reason)})`)),
    ...(isOther ? [known(used, nameOf(used))] : []),
    ['create', t('A new maker')],
    ...(match.parts && chosen !== 'split'
      ? [['parts', labelled(t('Several names'), match.parts.names.join(' · '))] as const]
      : []),
    ['split', t('Several names')],
    ['hide', t('A maker whose name is hidden')],
    ['other', t('Another maker already in the catalogue')],
    ['drop', t('Left out')],
  ]
}

/** Links to the makers that a name may be, to look at them. */
const Found = ({
  ids,
  nameOf,
}: {
  readonly ids: readonly string[]
  readonly nameOf: (id: string) => string
}) =>
  ids.length === 0 ? null : (
    <span class="hint">
      {rich('Look at {makers}', {
        makers: ids.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <a href={recordPath('agents', id)} target="_blank" rel="noopener">
              {nameOf(id)}
            </a>
          </span>
        )),
      })}
    </span>
  )

/** The name of a new maker, or those that it is split into. */
function textOf({ decision, match }: AnalysedName): string {
  if (decision && 'create' in decision) return decision.create.display_name
  const parts =
    decision && 'split' in decision
      ? decision.split
      : decision === undefined
        ? match.parts?.names
        : undefined
  return parts ? parts.join(` ${splitMark} `) : match.displayName
}
