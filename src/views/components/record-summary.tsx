// A record in a few lines, as it stands in a list.

import type { ComponentChildren } from 'preact'

import { titleOf } from '../../model/record/title.js'
import type { ResourceName } from '../../model/iris.js'
import { type RecordValues, textValue, listValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { type ResolvedRecord, valuesIn } from '../../model/record/views.js'
import { listPath, recordPath } from '../links.js'

type RecordSummaryProps = {
  readonly record: ResolvedRecord
  readonly resources: Resources
  /** On whose page it stands: what needs no saying there. */
  readonly on?: ResourceName
}

export const RecordSummary = (props: RecordSummaryProps) => {
  const { values, resource } = props.record
  const Lines = lines[resource.name]
  const issue = textValue(values, 'issue_designation')
  return (
    <article class="summary">
      <h3>
        <a href={recordPath(resource.name, textValue(values, resource.id.name))}>
          {headingFor(props)}
        </a>
        {issue && <span class="issue"> {issue}</span>}
      </h3>
      <Lines {...props} />
    </article>
  )
}

/** What it is called on the page of a zine: a holding, after where it is. */
const headingFor = ({ record, resources, on }: RecordSummaryProps): string =>
  on === 'zines' && record.resource.name === 'holdings'
    ? referenceTitle(record, resources, 'repository_id')
    : recordTitle(record, resources)

const ZineLines = ({ record: { values, lookup }, resources }: RecordSummaryProps) => (
  <>
    <Line>
      <People ids={listValue(values, 'creator')} {...{ cards: lookup, resources }} />
      {listValue(values, 'date').join(', ')}
      {listValue(values, 'series_title').join(', ')}
    </Line>
    <Codes name="zines" field="subject" {...{ card: values, resources }} />
  </>
)

const AgentLines = ({ record: { values }, resources }: RecordSummaryProps) => (
  <>
    <Line>
      {labelOf(resources, 'agents', 'kind', values)}
      {textValue(values, 'pronouns')}
    </Line>
    <Excerpt text={textValue(values, 'biography')} />
  </>
)

const RepositoryLines = ({ record: { values }, resources }: RecordSummaryProps) => (
  <Line>
    {labelOf(resources, 'repositories', 'repository_kind', values)}
    {[
      textValue(values, 'city'),
      textValue(values, 'region'),
      labelOf(resources, 'repositories', 'country', values),
    ]
      .filter(Boolean)
      .join(', ')}
    {textValue(values, 'status') !== 'active' &&
      labelOf(resources, 'repositories', 'status', values)}
  </Line>
)

const HoldingLines = ({ record, resources, on }: RecordSummaryProps) => (
  <Line>
    {on === undefined && referenceTitle(record, resources, 'repository_id')}
    {textValue(record.values, 'call_number')}
    {labelOf(resources, 'holdings', 'access_status', record.values)}
    {textValue(record.values, 'location')}
  </Line>
)

const lines: Readonly<Record<ResourceName, (props: RecordSummaryProps) => preact.JSX.Element>> = {
  zines: ZineLines,
  agents: AgentLines,
  repositories: RepositoryLines,
  holdings: HoldingLines,
}

/** What a record is called at the head of its page: a holding, after the zine that it is of. */
export const recordTitle = (record: ResolvedRecord, resources: Resources): string =>
  record.resource.name === 'holdings'
    ? holdingTitle(record, resources)
    : titleOf(resources, record.resource.name, record.values)

const holdingTitle = (record: ResolvedRecord, resources: Resources): string =>
  referenceTitle(record, resources, 'zine_id') || textValue(record.values, 'holding_id')

/** The name of the record that a field refers to. */
export function referenceTitle(
  { resource, values, lookup }: ResolvedRecord,
  resources: Resources,
  name: string,
): string {
  const field = resource.byName.get(name)
  const [id] = field ? valuesIn(field, values) : []
  if (!field?.target || id === undefined) return ''
  const named = lookup({ target: field.target, id })
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
  readonly cards: ResolvedRecord['lookup']
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
  readonly card: RecordValues
  readonly resources: Resources
}) => {
  const codes = listValue(card, field)
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

function labelOf(
  resources: Resources,
  name: ResourceName,
  field: string,
  card: RecordValues,
): string {
  const code = textValue(card, field)
  return resources[name].byName.get(field)?.vocabulary?.find(code)?.label ?? code
}

const longest = 220

const Excerpt = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <p class="excerpt">{text.length > longest ? `${text.slice(0, longest)}…` : text}</p>
  )
