// The pages of requests for changes: the form of visitors, and for editors the list of requests and
// one request. What visitors wrote is shown as text, without links.

import type { Message } from '../../message.js'
import type { ResourceName } from '../../model/iris.js'
import { Panel } from '../../views/components/panel.js'
import { Form } from '../../views/form.js'
import { CancelLink, FormPage, type Notice, NoticeBox } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, privacyPath, recordPath, requestPath, titleCase } from '../../views/links.js'
import {
  message,
  messageText,
  nounText,
  numberText,
  rich,
  t,
  tKind,
} from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

/** The record that a request is about. */
type Subject = { readonly kind: ResourceName; readonly id: string; readonly title: string }

/** What a visitor typed. */
export type ChangeRequestInput = {
  readonly topic: string
  readonly text: string
  readonly answer: string
}

/** What is wrong with the input, by field. */
export type ChangeRequestErrors = {
  readonly [Name in keyof ChangeRequestInput]?: Message | undefined
}

/** What a request can be about, in the words of visitors. */
const topicLabels = {
  correct: message('Correct something'),
  hide: message('Hide my legal name or contact'),
  remove: message('Remove it'),
  other: message('Something else'),
} as const

type Topic = keyof typeof topicLabels

/** The same for editors. */
const shortTopics: Readonly<Record<Topic, string>> = {
  correct: message('Correct'),
  hide: message('Hide name or contact'),
  remove: message('Remove'),
  other: message('Other'),
}

const outcomes = { done: message('Done'), declined: message('Declined') } as const

type ChangeRequestFormProps = {
  readonly context: PageContext
  readonly subject: Subject
  readonly topics: readonly Topic[]
  readonly input: ChangeRequestInput
  readonly errors: ChangeRequestErrors
  readonly notice?: Notice | undefined
}

export const ChangeRequestFormPage = (props: ChangeRequestFormProps) => {
  const { context, subject, topics, input, errors, notice } = props
  const hasErrors = Object.values(errors).some((message) => message !== undefined)
  return (
    <FormPage context={context} title={t('Ask for a change')} notice={notice}>
      {hasErrors && <NoticeBox notice={notSent} />}
      <div class="lead">
        <p>{rich(kindTexts[subject.kind].about, { title: <SubjectLink {...subject} /> })}</p>
        <p>
          {t(
            'Is this you, or did you find a mistake? Tell the editors. You need no account. Only the editors read this; no mail is sent, and your internet address is not stored.',
          )}{' '}
          <a href={privacyPath}>{t('What we promise to makers')}</a>
        </p>
        {context.contact !== undefined && (
          <p>
            {t('You can also write to')} <ContactLink contact={context.contact} />.
          </p>
        )}
      </div>
      <Form context={context} action={requestPath(subject.kind, subject.id)}>
        <fieldset
          class={errors.topic === undefined ? 'field' : 'field wrong'}
          aria-describedby={errors.topic === undefined ? undefined : 'topic-wrong'}
        >
          <legend>
            {t('What is it about?')} <span class="required">{t('required')}</span>
          </legend>
          <ErrorOfField name="topic" errors={errors} />
          <div class="choices column">
            {topics.map((topic) => (
              <label key={topic} class="choice">
                <input
                  type="radio"
                  name="topic"
                  value={topic}
                  checked={input.topic === topic}
                  required
                />
                {t(topicLabels[topic])}
              </label>
            ))}
          </div>
        </fieldset>
        <div class={errors.text === undefined ? 'field' : 'field wrong'}>
          <p class="field-name">
            <label for="text">{t('Your request')}</label>{' '}
            <span class="required">{t('required')}</span>
          </p>
          <p class="hint" id="text-hint">
            {t('Say what is wrong and how it should be. At most 5,000 characters.')}
          </p>
          <ErrorOfField name="text" errors={errors} />
          <textarea id="text" name="text" rows={6} required {...describedBy('text', errors)}>
            {input.text}
          </textarea>
        </div>
        <div class={errors.answer === undefined ? 'field' : 'field wrong'}>
          <p class="field-name">
            <label for="answer">{t('How can we answer you?')}</label>
          </p>
          <p class="hint" id="answer-hint">
            {t('If you want an answer: for example an e-mail address. At most 200 characters.')}
          </p>
          <ErrorOfField name="answer" errors={errors} />
          <input
            type="text"
            id="answer"
            name="answer"
            value={input.answer}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            {...describedBy('answer', errors)}
          />
        </div>
        <p class="actions">
          <button>{t('Send request')}</button>
          <CancelLink href={recordPath(subject.kind, subject.id)} />
        </p>
      </Form>
    </FormPage>
  )
}

const notSent: Notice = { tone: 'wrong', text: message('Not sent yet. Look at the marked fields.') }

type ErrorsOfField = {
  readonly name: keyof ChangeRequestInput
  readonly errors: ChangeRequestErrors
}

const ErrorOfField = ({ name, errors }: ErrorsOfField) =>
  errors[name] === undefined ? null : (
    <p class="message" id={`${name}-wrong`}>
      {messageText(errors[name])}
    </p>
  )

const describedBy = (name: ErrorsOfField['name'], errors: ChangeRequestErrors) =>
  errors[name] === undefined
    ? { 'aria-describedby': `${name}-hint` }
    : {
        'aria-describedby': `${name}-hint ${name}-wrong`,
        'aria-invalid': 'true' as const,
      }

const SubjectLink = ({ kind, id, title }: Subject) => (
  <a href={recordPath(kind, id)} dir="auto">
    {title}
  </a>
)

/** Where those who run the catalogue can be reached, as a link that can be read. */
const ContactLink = ({ contact }: { readonly contact: string }) => (
  <a href={contact}>{contact.replace(/^(?:mailto:|https?:\/\/)/, '').replace(/\/$/, '')}</a>
)

export const ChangeRequestSentPage = ({
  context,
  subject,
  number,
}: {
  readonly context: PageContext
  readonly subject: Subject
  readonly number: number
}) => (
  <FormPage context={context} title={t('Request sent')}>
    <div class="lead">
      <p>
        {t('Thank you. The editors have your request about')} <SubjectLink {...subject} />
        {rich('. Its number is {number}.', { number: <strong>{number}</strong> })}
      </p>
      {context.contact !== undefined && (
        <p>
          {rich('If you have more to say, write to {contact} and give this number.', {
            contact: <ContactLink contact={context.contact} />,
          })}
        </p>
      )}
    </div>
  </FormPage>
)

/** A request as editors see it. */
export type ChangeRequestInfo = ChangeRequestInput & {
  readonly number: number
  readonly kind: ResourceName
  readonly id: string
  /** The title of the record; undefined if it was deleted. */
  readonly title: string | undefined
  readonly isHidden: boolean
  readonly topic: Topic
  readonly at: string
  readonly version: number
  readonly note: string
  readonly settled?: {
    readonly as: 'done' | 'declined'
    readonly at: string
    readonly account: string
  }
}

type ChangeRequestsProps = {
  readonly context: PageContext
  /** Those of this page, open ones first. */
  readonly requests: readonly ChangeRequestInfo[]
  /** The number of all that are open. */
  readonly open: number
  readonly page: number
  readonly pages: number
}

export const ChangeRequestsPage = ({
  context,
  requests,
  open,
  page,
  pages,
}: ChangeRequestsProps) => {
  const isOpen = ({ settled }: ChangeRequestInfo): boolean => settled === undefined
  return (
    <FormPage context={context} title={t('Requests for changes')}>
      <p class="lead">
        {open === 0 ? t('No request is open.') : t('{open} open.', { open: numberText(open) })}{' '}
        {t('Only editors see this page.')}
      </p>
      <RequestList title={t('Open')} requests={requests.filter(isOpen)} />
      <RequestList
        title={t('Done or declined')}
        requests={requests.filter((request) => !isOpen(request))}
      />
      {pages > 1 && (
        <nav class="pager" aria-label={t('Pages')}>
          {page > 1 && (
            <a href={editingLinks.changeRequests(page - 1)} rel="prev">
              {t('← Previous')}
            </a>
          )}
          <span>{t('Page {page} of {pages}', { page, pages })}</span>
          {page < pages && (
            <a href={editingLinks.changeRequests(page + 1)} rel="next">
              {t('Next →')}
            </a>
          )}
        </nav>
      )}
    </FormPage>
  )
}

const RequestList = ({
  title,
  requests,
}: {
  readonly title: string
  readonly requests: readonly ChangeRequestInfo[]
}) =>
  requests.length === 0 ? null : (
    <section class="related">
      <h2>{title}</h2>
      <ul class="records">
        {requests.map((request) => (
          <li key={request.number}>
            <RequestSummary request={request} />
          </li>
        ))}
      </ul>
    </section>
  )

const RequestSummary = ({ request }: { readonly request: ChangeRequestInfo }) => {
  const { number, kind, topic, at, text, settled } = request
  return (
    <article class="summary">
      <h3>
        <a href={editingLinks.changeRequest(number)}>
          {rich('{label}: {value}', {
            label: t(shortTopics[topic]),
            value: <span dir="auto">{titleOf(request)}</span>,
          })}
        </a>
      </h3>
      <p class="line">
        <span>{t('no. {number}', { number })}</span>
        <span>{nounText(kind)}</span>
        <span>
          <Moment at={at} />
        </span>
        {settled && <span>{t(outcomes[settled.as])}</span>}
      </p>
      <p class="excerpt" dir="auto">
        {excerptOf(text)}
      </p>
    </article>
  )
}

const maxExcerptLength = 220

const excerptOf = (text: string): string => {
  const points = Array.from(text)
  return points.length > maxExcerptLength ? `${points.slice(0, maxExcerptLength).join('')}…` : text
}

const titleOf = ({ title, id }: ChangeRequestInfo): string => title ?? t('{id} (deleted)', { id })

/** A time to the minute. */
const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{`${at.slice(0, 16).replace('T', ' ')} UTC`}</time>
)

type ChangeRequestProps = {
  readonly context: PageContext
  readonly request: ChangeRequestInfo
  /** The note in the form, which may not be saved yet. */
  readonly note: string
  readonly notice?: Notice | undefined
  /** Whether the account may hide the record for the request. */
  readonly mayHide: boolean
  /** Whether the account may delete the request. */
  readonly mayRemove: boolean
}

export const ChangeRequestPage = (props: ChangeRequestProps) => {
  const { context, request, note, notice, mayHide, mayRemove } = props
  const { number, kind, id, title, settled } = request
  const action = editingLinks.changeRequest(number)
  return (
    <FormPage context={context} title={t('Request {number}', { number })} notice={notice}>
      <p class="hint">
        <a href={editingLinks.changeRequests()}>{t('All requests')}</a>
        {title !== undefined && (
          <>
            {' · '}
            <a href={editingLinks.edit(kind, id)}>{tKind(kind, 'editThe')}</a>
            {' · '}
            <a href={editingLinks.removeName(kind, id)}>{t('Remove a name')}</a>
          </>
        )}
      </p>
      <RequestFields request={request} />
      {mayHide && (
        <Panel title={t('Who sees this record')}>
          <Form context={context} action={action}>
            <p>
              {t(
                'Then only editors see the record, and the request is marked as done. Both can be undone.',
              )}
            </p>
            <p class="actions">
              <button name="do" value="hide">
                {t('Hide this record')}
              </button>
            </p>
          </Form>
        </Panel>
      )}
      <Panel title={t('For editors')}>
        <Form context={context} action={action}>
          <input type="hidden" name=".version" value={request.version} />
          <div class="field">
            <p class="field-name">
              <label for="note">{t('Private note')}</label>
            </p>
            <p class="hint" id="note-hint">
              {t('For the other editors. Nobody else sees it.')}
            </p>
            <textarea id="note" name="note" rows={4} aria-describedby="note-hint">
              {note}
            </textarea>
          </div>
          <p class="actions">
            {settled ? (
              <button name="do" value="open" class="quiet">
                {t('Open again')}
              </button>
            ) : (
              <>
                <button name="do" value="done">
                  {t('Done')}
                </button>
                <button name="do" value="declined">
                  {t('Declined')}
                </button>
              </>
            )}
            <button name="do" value="note" class="quiet">
              {t('Save note')}
            </button>
          </p>
        </Form>
      </Panel>
      {mayRemove && (
        <Panel title={t('Delete')}>
          <Form context={context} action={action}>
            <p>{t('The request and its note will be deleted. This cannot be undone.')}</p>
            <p class="actions">
              <button class="danger" name="do" value="delete">
                {t('Delete request')}
              </button>
            </p>
          </Form>
        </Panel>
      )}
    </FormPage>
  )
}

const RequestFields = ({ request }: { readonly request: ChangeRequestInfo }) => {
  const { kind, id, title, topic, text, answer, at, settled } = request
  return (
    <dl class="fields">
      <div>
        <dt>{titleCase(nounText(kind))}</dt>
        <dd>
          {title === undefined ? (
            <span class="deleted">{titleOf(request)}</span>
          ) : (
            <SubjectLink {...{ kind, id, title }} />
          )}
        </dd>
      </div>
      <div>
        <dt>{t('About')}</dt>
        <dd>{t(topicLabels[topic])}</dd>
      </div>
      <div>
        <dt>{t('Request')}</dt>
        <dd class="text" dir="auto">
          {text}
        </dd>
      </div>
      <div>
        <dt>{t('Answer to')}</dt>
        <dd class="text" dir="auto">
          {answer === '' ? t('(no answer wanted)') : answer}
        </dd>
      </div>
      <div>
        <dt>{t('Sent')}</dt>
        <dd>
          <Moment at={at} />
        </dd>
      </div>
      {settled && (
        <div>
          <dt>{t(outcomes[settled.as])}</dt>
          <dd>
            {t('by {account},', { account: settled.account })} <Moment at={settled.at} />
          </dd>
        </div>
      )}
    </dl>
  )
}
