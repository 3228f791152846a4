// The third step of an import: names of people and groups with what the catalogue has like them, and what
// becomes of each.

import type { AnalysedName } from '../../imports/analysis.js'
import { labelOfReference } from '../../model/record/title.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import {
  ImportForm,
  ImportPage,
  type ImportPageProps,
  NumberedPages,
  Option,
  Tabs,
  countOf,
} from '../import-layout.js'
import { editingLinks, recordPath } from '../links.js'

/** What names are told apart by: those to decide, and those that will be made, used, parted or left out. */
export const namesTabs = ['open', 'new', 'found', 'split', 'dropped'] as const

export type NamesTab = (typeof namesTabs)[number]

export const namesPerPage = 100

/** Between the names that a name is parted into. */
export const splitMark = '|'

type ImportNamesProps = ImportPageProps & {
  readonly resources: Resources
  readonly names: readonly AnalysedName[]
  readonly tab: NamesTab
  readonly counts: Readonly<Record<NamesTab, number>>
  readonly page: number
  /** The number of names in the tab. */
  readonly count: number
  readonly lookup: RecordLookup
}

const tabLabels: Readonly<Record<NamesTab, string>> = {
  open: 'To decide',
  new: 'New makers',
  found: 'Here already',
  split: 'Several names',
  dropped: 'Left out',
}

const tabHints: Readonly<Record<NamesTab, string>> = {
  open: 'A maker with a similar name is here, or there are several with this name. Is it the same?',
  new: 'These makers will be created. Check whether each is a person or a group.',
  found: 'These names are exactly those of makers who are here.',
  split: 'Each of these will be parted into several names.',
  dropped: 'These names are left out. They stay in the original rows.',
}

export const ImportNamesPage = (props: ImportNamesProps) => {
  const { context, one, tab, counts, page, count, names } = props
  const hrefOf = (name: string, number = 1): string =>
    editingLinks.importStep(one.id, 'names', {
      show: name,
      ...(number > 1 ? { page: String(number) } : {}),
    })
  return (
    <ImportPage {...props} step="names">
      <Tabs
        label="Names"
        current={tab}
        tabs={namesTabs
          .filter((name) => counts[name] > 0 || name === 'open')
          .map((name) => ({ name, label: tabLabels[name], count: counts[name] }))}
        hrefOf={(name) => hrefOf(name)}
      />
      <p class="lead">
        {count === 0 && tab === 'open' ? 'Nothing is left to decide.' : tabHints[tab]}
      </p>
      <ImportForm context={context} one={one} step="names" query={context.query}>
        {/* Enter activates the first button of a form. */}
        <button class="visually-hidden" tabIndex={-1} aria-hidden="true" name="do" value="save">
          Save
        </button>
        {names.length > 0 && (
          <>
            <p class="hint">
              For a new maker, the text is the name. For several names, put <code>|</code> between
              them. For another maker who is here, it is the identifier.
            </p>
            <table class="import-table decisions">
              <thead>
                <tr>
                  <th scope="col">In the file</th>
                  <th scope="col">Becomes</th>
                  <th scope="col">Name</th>
                  <th scope="col">Kind</th>
                </tr>
              </thead>
              <tbody>
                {names.map((name, index) => (
                  <NameRow key={index} {...props} name={name} index={index} />
                ))}
              </tbody>
            </table>
          </>
        )}
        <p class="actions sticky">
          {names.length > 0 && (
            <button name="do" value="save">
              {names.length < count ? 'Save this page' : 'Save'}
            </button>
          )}
          {counts.open > 0 ? (
            <button class="quiet" name="do" value="accept-all">
              Accept what is proposed for all and go on
            </button>
          ) : (
            <a class="button" href={editingLinks.importStep(one.id, 'terms')}>
              Go on to the terms
            </a>
          )}
        </p>
      </ImportForm>
      <NumberedPages
        page={page}
        size={namesPerPage}
        count={count}
        hrefOf={(number) => hrefOf(tab, number)}
      />
    </ImportPage>
  )
}

const NameRow = ({
  name,
  index,
  resources,
  lookup,
}: ImportNamesProps & { readonly name: AnalysedName; readonly index: number }) => {
  const { displayName, spellings, count, match, decision } = name
  const label = displayName === '' ? 'No name given' : displayName
  const nameOf = (id: string): string =>
    labelOfReference(resources, lookup, { target: 'agents', id })
  const used = decision && 'use' in decision ? decision.use : undefined
  const isOther =
    used !== undefined &&
    !match.found.includes(used) &&
    !match.similar.some(({ id }) => id === used)
  const current =
    decision === undefined
      ? ''
      : 'use' in decision
        ? `use:${decision.use}`
        : (['create', 'split', 'drop'] as const).find((one) => one in decision)
  const kinds = resources.agents.byName.get('kind')?.vocabulary?.entries ?? []
  const kind = decision && 'create' in decision ? decision.create.kind : match.kind
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{label}</span>
        <span class="hint">
          {countOf(count, 'time')}
          {spellings.length > 1 && (
            <>
              {': '}
              {spellings.map((one) => (one.name === '' ? '(empty)' : one.name)).join(' · ')}
            </>
          )}
        </span>
      </th>
      <td>
        <input type="hidden" name="name" value={spellings[0]?.name ?? ''} />
        <select name={`do.${index}`} aria-label={`What ${label} becomes`}>
          {decision === undefined && <option value="">Choose …</option>}
          {match.found.map((id) => (
            <Option key={id} value={`use:${id}`} current={current}>
              Here: {nameOf(id)} ({id})
            </Option>
          ))}
          {match.similar.map(({ id, reason }) => (
            <Option key={id} value={`use:${id}`} current={current}>
              Here: {nameOf(id)} ({reason})
            </Option>
          ))}
          {isOther && (
            <Option value={`use:${used}`} current={current}>
              Here: {nameOf(used)}
            </Option>
          )}
          <Option value="create" current={current}>
            A new maker
          </Option>
          <Option value="split" current={current}>
            Several names
          </Option>
          <option value="other">Another maker who is here</option>
          <Option value="drop" current={current}>
            Left out
          </Option>
        </select>
        <Found ids={[...match.found, ...match.similar.map(({ id }) => id)]} nameOf={nameOf} />
      </td>
      <td>
        <input
          type="text"
          name={`text.${index}`}
          value={textOf(name)}
          autocomplete="off"
          aria-label={`Name for ${label}`}
          dir="auto"
        />
      </td>
      <td>
        <select name={`kind.${index}`} aria-label={`Kind of ${label}`}>
          {kinds.map(({ code, label: kindLabel }) => (
            <Option key={code} value={code} current={kind}>
              {kindLabel}
            </Option>
          ))}
        </select>
      </td>
    </tr>
  )
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
      Look at{' '}
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={recordPath('agents', id)} target="_blank" rel="noopener">
            {nameOf(id)}
          </a>
        </span>
      ))}
    </span>
  )

/** The name of a new maker, or those that it is parted into. */
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
