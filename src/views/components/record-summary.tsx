// A record in a few lines, as it stands in a list.

import type { ComponentChildren } from 'preact'

import type { ResourceName } from '../../model/iris.js'
import { type Card, textOf, valuesOf } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { type Sheet, valuesIn } from '../../model/record/views.js'
import { listPath, recordPath } from '../links.js'
import { titleOf } from './field-value.js'

type Props = {
  readonly sheet: Sheet
  readonly resources: Resources
  /** On whose page it stands: what needs no saying there. */
  readonly on?: ResourceName
}

export const Summary = (props: Props) => {
  const { card, resource } = props.sheet
  const Lines = lines[resource.name]
  const issue = textOf(card, 'issue_designation')
  return (
    <article class="summary">
      <h3>
        <a href={recordPath(resource.name, textOf(card, resource.id.name))}>{calledIn(props)}</a>
        {issue && <span class="issue"> {issue}</span>}
      </h3>
      <Lines {...props} />
    </article>
  )
}

/** What it is called on the page of a zine: a holding, after where it is. */
const calledIn = ({ sheet, resources, on }: Props): string =>
  on === 'zines' && sheet.resource.name === 'holdings'
    ? nameIn(sheet, resources, 'repository_id')
    : nameOf(sheet, resources)

const ZineLines = ({ sheet: { card, cards }, resources }: Props) => (
  <>
    <Line>
      <People ids={valuesOf(card, 'creator')} {...{ cards, resources }} />
      {valuesOf(card, 'date').join(', ')}
      {valuesOf(card, 'series_title').join(', ')}
    </Line>
    <Codes name="zines" field="subject" {...{ card, resources }} />
  </>
)

const AgentLines = ({ sheet: { card }, resources }: Props) => (
  <>
    <Line>
      {labelOf(resources, 'agents', 'kind', card)}
      {textOf(card, 'pronouns')}
    </Line>
    <Excerpt text={textOf(card, 'biography')} />
  </>
)

const RepositoryLines = ({ sheet: { card }, resources }: Props) => (
  <Line>
    {labelOf(resources, 'repositories', 'repository_kind', card)}
    {[
      textOf(card, 'city'),
      textOf(card, 'region'),
      labelOf(resources, 'repositories', 'country', card),
    ]
      .filter(Boolean)
      .join(', ')}
    {textOf(card, 'status') !== 'active' && labelOf(resources, 'repositories', 'status', card)}
  </Line>
)

const HoldingLines = ({ sheet, resources, on }: Props) => (
  <Line>
    {on === undefined && nameIn(sheet, resources, 'repository_id')}
    {textOf(sheet.card, 'call_number')}
    {labelOf(resources, 'holdings', 'access_status', sheet.card)}
    {textOf(sheet.card, 'location')}
  </Line>
)

const lines: Readonly<Record<ResourceName, (props: Props) => preact.JSX.Element>> = {
  zines: ZineLines,
  agents: AgentLines,
  repositories: RepositoryLines,
  holdings: HoldingLines,
}

/** What a record is called at the head of its page: a holding, after the zine that it is of. */
export const nameOf = (sheet: Sheet, resources: Resources): string =>
  sheet.resource.name === 'holdings'
    ? holdingTitle(sheet, resources)
    : titleOf(resources, sheet.resource.name, sheet.card)

const holdingTitle = (sheet: Sheet, resources: Resources): string =>
  nameIn(sheet, resources, 'zine_id') || textOf(sheet.card, 'holding_id')

/** The name of the record that a field refers to. */
export function nameIn(
  { resource, card, cards }: Sheet,
  resources: Resources,
  name: string,
): string {
  const field = resource.byName.get(name)
  const [id] = field ? valuesIn(field, card) : []
  if (!field?.target || id === undefined) return ''
  const named = cards({ target: field.target, id })
  return named ? titleOf(resources, field.target, named) : id
}

/** The parts of a line, with a mark between those that there are. */
const Line = ({ children }: { readonly children: ComponentChildren }) => {
  const parts = [children].flat().filter(Boolean)
  if (parts.length === 0) return null
  return (
    <p class="line">
      {parts.map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </p>
  )
}

const shownPeople = 4

const People = ({
  ids,
  cards,
  resources,
}: {
  readonly ids: readonly string[]
  readonly cards: Sheet['cards']
  readonly resources: Resources
}) => {
  const names = ids.slice(0, shownPeople).map((id, index) => {
    const card = cards({ target: 'agents', id })
    return (
      <span key={id}>
        {index > 0 && ', '}
        {card ? <a href={recordPath('agents', id)}>{titleOf(resources, 'agents', card)}</a> : id}
      </span>
    )
  })
  const more = ids.length - shownPeople
  return (
    <>
      {names}
      {more > 0 && ` and ${more} more`}
    </>
  )
}

const shownCodes = 6

const Codes = ({
  name,
  field,
  card,
  resources,
}: {
  readonly name: ResourceName
  readonly field: string
  readonly card: Card
  readonly resources: Resources
}) => {
  const codes = valuesOf(card, field)
  if (codes.length === 0) return null
  const vocabulary = resources[name].byName.get(field)?.vocabulary
  return (
    <ul class="tags">
      {codes.slice(0, shownCodes).map((code) => (
        <li key={code}>
          <a href={listPath(name, { [field]: code })}>{vocabulary?.find(code)?.label ?? code}</a>
        </li>
      ))}
      {codes.length > shownCodes && <li>+{codes.length - shownCodes}</li>}
    </ul>
  )
}

function labelOf(resources: Resources, name: ResourceName, field: string, card: Card): string {
  const code = textOf(card, field)
  return resources[name].byName.get(field)?.vocabulary?.find(code)?.label ?? code
}

const longest = 220

const Excerpt = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <p class="excerpt">{text.length > longest ? `${text.slice(0, longest)}…` : text}</p>
  )
