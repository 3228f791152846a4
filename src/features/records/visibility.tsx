// The page that hides a record from the public, or shows it again, with what is hidden with it.

import type { VNode } from 'preact'

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
import { cascadesOf } from '../../catalogue/writes/cascade.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { type Visibility, visibilities } from '../../model/record/visibility.js'
import { type Resource, type Resources, mayNameDeleted } from '../../model/resources.js'
import type { Endpoint } from '../../http/endpoint.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  sourceOf,
} from '../../http/form-endpoint.js'
import { firstPageQuery, recordIdParam } from '../../http/request/list-query.js'
import { readFor, seesHidden } from '../../http/request/record-rights.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { Select } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import {
  CancelLink,
  FormPage,
  InputRow,
  LabelledField,
  type Notice,
} from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes, recordPath } from '../../views/links.js'
import { plural, t } from '../../views/translate.js'
import { NameToType, isNameTyped, maxUnnamed, typedNameIn } from './typed-name.js'

type VisibilityDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

const visibilityTexts: Readonly<Record<Visibility, string>> = {
  public: message('Everyone'),
  hidden: message('Only editors (hidden)'),
  draft: message('Only editors, until it is finished (draft)'),
}

export const visibilityEndpoints = (dependencies: VisibilityDependencies): Endpoint[] =>
  Object.values(dependencies.resources).map((resource) => visibilityForm(dependencies, resource))

/** What was chosen in `VisibilityFields`. */
export type ChosenVisibility = { readonly visibility: string; readonly reason: string }

type Typed = ChosenVisibility & { readonly name: string }

export const readChosenVisibility = (form: SubmittedForm): ChosenVisibility => ({
  visibility: form.has('.draft') ? 'draft' : (form.get('visibility') ?? ''),
  reason: form.get('hidden_reason') ?? '',
})

/** What was chosen, as a part of the body of a write. */
export const visibilityBody = ({
  visibility,
  reason,
}: ChosenVisibility): readonly (readonly [string, string])[] => [
  ['visibility', visibility],
  ['hidden_reason', reason],
]

export const visibilityIn = ({ hidden }: Pick<FoundRecord, 'hidden'>): ChosenVisibility => ({
  visibility: hidden?.visibility ?? 'public',
  reason: hidden?.reason ?? '',
})

function visibilityForm(dependencies: VisibilityDependencies, resource: Resource): Endpoint {
  const { catalogue, resources } = dependencies
  const { name, noun } = resource

  async function page(request: SignedInRequest, notice?: Notice, typed?: Typed): Promise<VNode> {
    const snapshot = await readRecord(request)
    const id = recordIdParam(request.ctx)
    return (
      <VisibilityPage
        {...{ context: request.context, name, id, notice }}
        title={recordHeading(snapshot.record, resources)}
        hiddenWith={await countHiddenWith(dependencies, name, id)}
        isNamed={resourcesNaming(resources, name)}
        typed={typed ?? { ...visibilityIn(snapshot), name: '' }}
      />
    )
  }

  const readRecord = ({ ctx, account }: SignedInRequest): Promise<FoundRecord> =>
    readFor(catalogue, account, { target: name, id: recordIdParam(ctx) })

  async function submit(request: SignedInRequest, form: SubmittedForm): Promise<VNode | Redirect> {
    const { ctx, account } = request
    const id = recordIdParam(ctx)
    const typed = { ...readChosenVisibility(form), name: typedNameIn(form) }
    const { record } = await readRecord(request)
    const hiddenWith = await countHiddenWith(dependencies, name, id)
    const isNamed = isNameTyped(form, recordHeading(record, resources))
    if (typed.visibility !== 'public' && hiddenWith > maxUnnamed && !isNamed) {
      ctx.status = 400
      return page(request, wrongName, typed)
    }
    try {
      const body = new Map(visibilityBody(typed))
      const source = sourceOf({ account })
      await catalogue.change(name, id, body, { mayName: seesHidden(account), source })
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      ctx.status = 400
      const [first] = [...error.fieldErrors.values()].flat()
      return page(
        request,
        { tone: 'wrong', text: request.context.translator.message(first ?? '') },
        typed,
      )
    }
    return { to: recordPath(name, id), done: typed.visibility === 'public' ? 'shown' : 'hidden' }
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.visibility(name),
    name: `${noun} Visibility`,
    description: `Hides a ${noun.toLowerCase()} from the public, or shows it again.`,
    record: name,
    render: (request) => page(request),
    submit,
  })
}

const wrongName: Notice = {
  tone: 'wrong',
  text: message('Nothing was hidden: that is not the name. Type it exactly as it is shown below.'),
}

/** How many records that everybody sees are hidden with a record. */
export async function countHiddenWith(
  { catalogue, resources }: Pick<VisibilityDependencies, 'catalogue' | 'resources'>,
  name: ResourceName,
  id: string,
): Promise<number> {
  const counts = await Promise.all(
    cascadesOf(resources, name).map(({ resource, field }) =>
      catalogue.count(resource, firstPageQuery(1, { filters: { [field]: id } })),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Whether other records go on naming a record of the kind, without telling it. */
const resourcesNaming = (resources: Resources, name: ResourceName): boolean =>
  Object.values(resources).some(({ inputFields }) =>
    inputFields.some((field) => field.target === name && mayNameDeleted(field)),
  )

/** Who sees a record, and why. */
export const VisibilityFields = ({ chosen }: { readonly chosen: ChosenVisibility }) => (
  <>
    <LabelledField id="field-visibility" label={t('Who sees this record')}>
      <Select
        id="field-visibility"
        name="visibility"
        value={chosen.visibility}
        options={visibilities.map((choice) => [choice, t(visibilityTexts[choice])] as const)}
      />
    </LabelledField>
    <InputRow
      name="hidden_reason"
      id="field-hidden_reason"
      label={t('Reason')}
      hint={t('Only editors see it, such as “at the request of the maker”.')}
      value={chosen.reason}
    />
  </>
)

/** The group of the form of a record. It is open where a record is hidden, or will be. */
export const VisibilityGroup = ({
  chosen,
  hasError,
}: {
  readonly chosen: ChosenVisibility
  readonly hasError: boolean
}) => (
  <details class="field-group" open={hasError || !['', 'public'].includes(chosen.visibility)}>
    <summary>
      <h2>{t('Visibility')}</h2>{' '}
      <span class="hint">
        {t('Who sees this record')}, {t('Reason')}
      </span>
    </summary>
    <div class="group-fields">
      <VisibilityFields chosen={chosen} />
    </div>
  </details>
)

const VisibilityPage = ({
  context,
  name,
  id,
  title,
  notice,
  hiddenWith,
  isNamed,
  typed,
}: {
  readonly context: PageContext
  readonly name: ResourceName
  readonly id: string
  readonly title: string
  readonly notice: Notice | undefined
  readonly hiddenWith: number
  readonly isNamed: boolean
  readonly typed: Typed
}) => (
  <FormPage context={context} title={t('Who sees {title}?', { title })} notice={notice}>
    <div class="lead">
      <p>
        {t(
          'A hidden record is on no page, in no list and in no download. Its address answers as if there had never been such a record. Editors still find it under Worklists.',
        )}
      </p>
      {isNamed && <p>{t('Zines of this maker show “name withheld” instead of the name.')}</p>}
      {hiddenWith > 0 && (
        <p>
          {plural(
            hiddenWith,
            '{count} copy is hidden with it.',
            '{count} copies are hidden with it.',
            { count: hiddenWith },
          )}
        </p>
      )}
    </div>
    <Form context={context} action={editingLinks.visibility(name, id)}>
      <VisibilityFields chosen={typed} />
      {hiddenWith > maxUnnamed && (
        <NameToType label={t('Type its name to hide it')} title={title} typed={typed.name} />
      )}
      <p class="actions">
        <button>{t('Save')}</button>
        <CancelLink href={recordPath(name, id)} />
      </p>
    </Form>
  </FormPage>
)
