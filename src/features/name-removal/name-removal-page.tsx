// How the guided page for removing a name looks: a form for the name, and then one step below the
// other, each with what is left to do there.

import type { ComponentChildren } from 'preact'

import type { Reference } from '../../model/record/views.js'
import type { Field } from '../../model/resources.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { Form } from '../../views/form.js'
import { FormPage, InputRow, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, recordPath } from '../../views/links.js'
import { numberText, rich, t } from '../../views/translate.js'
import { type RemovalProof, isGone } from '../history/removal-proof.js'
import type { FieldFinding, OtherFindings, PictureFinding } from './findings.js'

/** What is left to do in each step. */
export type NameRemovalSteps = {
  readonly inRecord: readonly FieldFinding[]
  readonly others: OtherFindings
  readonly pictures: readonly PictureFinding[]
  /** The fields whose former values have the name. */
  readonly history: readonly Field[]
  readonly isInIdentifier: boolean
  /** The former identifiers that have the name and lead to the record. */
  readonly former: readonly string[]
}

type NameRemovalProps = {
  readonly context: PageContext
  readonly notice?: Notice | undefined
  readonly reference: Reference
  /** The record, as pages call it. */
  readonly title: string
  /** Where the forms are sent to. */
  readonly action: string
  /** Who may remove something for good. */
  readonly isAdmin: boolean
  readonly sought?: { readonly name: string; readonly by: string } | undefined
  /** Where the name still is, once that was asked for. */
  readonly proof?: RemovalProof | undefined
  /** Undefined until a name is typed. */
  readonly steps: NameRemovalSteps | undefined
}

export const NameRemovalPage = (props: NameRemovalProps) => {
  const { context, notice, reference, title, steps } = props
  return (
    <FormPage context={context} title={t('Remove a name')} notice={notice} wide>
      <p class="lead">
        <a href={recordPath(reference.target, reference.id)} dir="auto">
          {title}
        </a>
      </p>
      <NameForm {...props} />
      {steps && <Steps {...props} steps={steps} />}
    </FormPage>
  )
}

const NameForm = ({ context, action, sought }: NameRemovalProps) => (
  <Panel title={t('The name')}>
    <Form context={context} action={action} class="narrow">
      <InputRow
        name="name"
        label={t('Name to remove')}
        hint={t(
          'It is sent with each step and kept nowhere. You can leave this page and type it again later.',
        )}
        value={sought?.name ?? ''}
        autocomplete="off"
        required
      />
      <InputRow
        name="by"
        label={t('Name to put in its place')}
        hint={t('Leave it empty to put nothing there.')}
        value={sought?.by ?? ''}
        autocomplete="off"
      />
      <button>{t('Show where it is')}</button>
    </Form>
  </Panel>
)

type StepProps = NameRemovalProps & { readonly steps: NameRemovalSteps }

const Steps = (props: StepProps) => {
  const { inRecord, others, pictures, history, isInIdentifier, former } = props.steps
  return (
    <ol class="steps-of-removal">
      <Step title={t('1. This record')} isDone={inRecord.length === 0}>
        <FindingTable {...props} findings={inRecord} />
      </Step>
      <Step
        title={t('2. Other records')}
        isDone={others.findings.length === 0 && others.pages === 1}
      >
        {others.findings.length > 0 && <FindingTable {...props} findings={others.findings} />}
        {others.pages > 1 && <PagesOfOthers {...props} />}
      </Step>
      <Step title={t('3. Pictures')} isDone={pictures.length === 0}>
        <PictureTable {...props} />
      </Step>
      <Step title={t('4. History')} isDone={history.length === 0}>
        <HistoryStep {...props} />
      </Step>
      <Step title={t('5. Web address')} isDone={!isInIdentifier && former.length === 0}>
        {isInIdentifier && <IdentifierStep {...props} />}
        {former.map((id) => (
          <FormerIdentifier key={id} {...props} id={id} />
        ))}
      </Step>
      <li>
        <ProofStep {...props} />
      </li>
    </ol>
  )
}

const Step = ({
  title,
  isDone,
  children,
}: {
  readonly title: string
  readonly isDone: boolean
  readonly children: ComponentChildren
}) => (
  <li>
    <Panel title={title}>
      {isDone ? <p class="done">{t('Nothing is left here.')}</p> : children}
    </Panel>
  </li>
)

type StepFormProps = NameRemovalProps & {
  /** The page of the other records that comes next: where nothing is said, the same. */
  readonly page?: number | undefined
  readonly children: ComponentChildren
}

/** A form of one step, which sends the name again. */
const StepForm = ({
  context,
  action,
  sought,
  steps,
  page = steps?.others.page ?? 1,
  children,
}: StepFormProps) => (
  <Form context={context} action={action}>
    <input type="hidden" name="name" value={sought?.name} />
    <input type="hidden" name="by" value={sought?.by} />
    {page > 1 && <input type="hidden" name="page" value={String(page)} />}
    {children}
  </Form>
)

const RecordInputs = ({ reference: { target, id } }: { readonly reference: Reference }) => (
  <>
    <input type="hidden" name="kind" value={target} />
    <input type="hidden" name="id" value={id} />
  </>
)

const FindingTable = ({
  findings,
  ...props
}: NameRemovalProps & { readonly findings: readonly FieldFinding[] }) => (
  <DataTable
    label={t('Texts with the name')}
    columns={[t('Record'), t('Field'), t('Text'), <ChangeHeading />]}
  >
    {findings.map(({ reference, title, field, texts, mayWrite }) => (
      <tr key={`${reference.target}/${reference.id}/${field.name}`}>
        <th scope="row">
          <RecordLink {...{ reference, title }} />
        </th>
        <td>{t(field.formLabel)}</td>
        <Texts texts={texts} />
        <td>
          {mayWrite ? (
            <StepForm {...props}>
              <RecordInputs reference={reference} />
              <input type="hidden" name="field" value={field.name} />
              <button name="do" value="replace">
                {replaceText(props)}
                <Hidden text={`${t(field.formLabel)}, ${title}`} />
              </button>{' '}
              <a href={editingLinks.edit(reference.target, reference.id)}>{t('Edit')}</a>
            </StepForm>
          ) : (
            t('Your account may not edit this record.')
          )}
        </td>
      </tr>
    ))}
  </DataTable>
)

/** Not everything that the search finds has the name: it takes accents and case for the same. */
const PagesOfOthers = (props: StepProps) => {
  const { count, page, pages } = props.steps.others
  return (
    <>
      <p>
        {t('The search found {count} records and looks at 100 of them at a time.', {
          count: numberText(count),
        })}{' '}
        {t('Page {page} of {pages}', { page: numberText(page), pages: numberText(pages) })}
      </p>
      <div class="actions">
        {page > 1 && (
          <StepForm {...props} page={page - 1}>
            <button class="quiet small">{t('Previous')}</button>
          </StepForm>
        )}
        {page < pages && (
          <StepForm {...props} page={page + 1}>
            <button class="quiet small">{t('Next')}</button>
          </StepForm>
        )}
      </div>
    </>
  )
}

const replaceText = ({ sought }: NameRemovalProps): string =>
  sought?.by === '' ? t('Remove|name') : t('Replace')

const ChangeHeading = () => <span class="visually-hidden">{t('Change')}</span>

const Hidden = ({ text }: { readonly text: string }) => <span class="visually-hidden"> {text}</span>

const Texts = ({ texts }: { readonly texts: readonly string[] }) => (
  <td class="text">
    {texts.map((text) => (
      <p key={text} dir="auto">
        {text}
      </p>
    ))}
  </td>
)

const RecordLink = ({
  reference: { target, id },
  title,
}: Pick<FieldFinding, 'reference' | 'title'>) => (
  <a href={recordPath(target, id)} dir="auto">
    {title}
  </a>
)

const PictureTable = ({ steps, ...props }: StepProps) => (
  <DataTable
    label={t('Pictures with the name')}
    columns={[t('Record'), t('Text'), <ChangeHeading />]}
  >
    {steps.pictures.map(({ reference, title, picture, texts, mayWrite }) => (
      <tr key={picture.id}>
        <th scope="row">
          <RecordLink {...{ reference, title }} />
        </th>
        <Texts texts={texts} />
        <td>
          {mayWrite ? (
            <StepForm {...props} steps={steps}>
              <RecordInputs reference={reference} />
              <input type="hidden" name="picture" value={picture.id} />
              <button name="do" value="picture">
                {replaceText({ ...props, steps })}
                <Hidden text={t('Picture of {title}', { title })} />
              </button>{' '}
              <a href={editingLinks.pictures(reference.target, reference.id)}>{t('Pictures')}</a>
            </StepForm>
          ) : (
            t('Your account may not edit this record.')
          )}
        </td>
      </tr>
    ))}
  </DataTable>
)

const HistoryStep = (props: StepProps) => (
  <>
    <p>{t('Former versions of this record have the name. Removing it cannot be undone.')}</p>
    {props.isAdmin ? (
      props.steps.history.map((field) => (
        <StepForm key={field.name} {...props}>
          <input type="hidden" name="field" value={field.name} />
          <p>
            <button class="danger" name="do" value="redact">
              {rich('Remove from all versions: {field}', { field: t(field.formLabel) })}
            </button>
          </p>
        </StepForm>
      ))
    ) : (
      <p>{onlyAdmins()}</p>
    )}
  </>
)

const onlyAdmins = (): string => t('Only an administrator can do this. Ask one to open this page.')

const IdentifierStep = (props: StepProps) => (
  <>
    <p>
      {rich('The web address has the identifier {id}, which seems to contain the name.', {
        id: <code>{props.reference.id}</code>,
      })}
    </p>
    <StepForm {...props}>
      <InputRow name="new-id" label={t('New identifier')} autocomplete="off" required />
      {props.isAdmin && (
        <p>
          <label class="choice">
            <input type="checkbox" name="forget" value="yes" checked />
            {t('Forget the old address permanently: it then leads nowhere')}
          </label>
        </p>
      )}
      <button name="do" value="rename">
        {t('Change identifier')}
      </button>
    </StepForm>
  </>
)

const FormerIdentifier = ({ id, ...props }: StepProps & { readonly id: string }) => (
  <StepForm {...props}>
    <input type="hidden" name="former" value={id} />
    <p>
      {rich('The former identifier {id} leads here.', { id: <code>{id}</code> })}{' '}
      {props.isAdmin ? (
        <button class="danger" name="do" value="forget">
          {t('Forget it')}
          <Hidden text={id} />
        </button>
      ) : (
        onlyAdmins()
      )}
    </p>
  </StepForm>
)

const ProofStep = (props: StepProps) => (
  <Panel title={t('6. Proof')}>
    <p>
      {t(
        'The bytes of the name are looked for in all files, records and public answers, however they are written. This takes as long as reading all data.',
      )}
    </p>
    {props.proof && <Proof proof={props.proof} />}
    {props.isAdmin ? (
      <StepForm {...props}>
        <button name="do" value="prove">
          {t('Look in all files')}
        </button>
      </StepForm>
    ) : (
      <p>{onlyAdmins()}</p>
    )}
  </Panel>
)

const Proof = ({ proof }: { readonly proof: RemovalProof }) => {
  const { files, records, entries, answers = [] } = proof
  const count = Object.values(entries).reduce((sum, number) => sum + number, 0)
  return (
    <div class={`notice ${isGone(proof) ? 'done' : 'look'}`} role="status">
      <p>
        {t(
          'Found in {files} files, {records} records, {entries} other entries, {answers} answers.',
          {
            files: numberText(files.length),
            records: numberText(records.length),
            entries: numberText(count),
            answers: numberText(answers.length),
          },
        )}
      </p>
      {records.length > 0 && (
        <ul>
          {records.map(({ target, id }) => (
            <li key={`${target}/${id}`}>
              <a href={recordPath(target, id)}>{id}</a> ·{' '}
              <a href={editingLinks.history(target, id)}>{t('History')}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
