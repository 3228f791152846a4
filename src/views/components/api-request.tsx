// The parts of a page that lead to the same content as data: links to other formats, and the API
// request with its response.

import { type Format, titleOfFormat } from '../../formats/serializer.js'
import { createAddresses, downloadIn, withParameters } from '../links.js'
import type { PageContext } from '../layout.js'
import { plural, t } from '../translate.js'

/** Links to the same address in other formats. */
export const FormatLinks = ({
  context,
  formats,
  title = t('Download'),
}: FormatListProps & { readonly title?: string }) => {
  return (
    <nav class="formats" aria-label={title}>
      <h2>{title}</h2>
      <FormatList {...{ context, formats }} />
    </nav>
  )
}

type FormatListProps = {
  readonly context: PageContext
  readonly formats: readonly Format[]
}

/** The same links in a menu, for a page on which they are not what readers look for. */
export const FormatMenu = (props: FormatListProps) => (
  <details class="format-menu" data-needs-service>
    <summary>{t('Download')}</summary>
    <nav class="formats" aria-label={t('Download')}>
      <FormatList {...props} />
    </nav>
  </details>
)

const FormatList = ({ context: { path, query }, formats }: FormatListProps) => {
  const addressOf = createAddresses(path, query)
  return (
    <ul>
      {distinctByName(formats).map((format) => (
        <li key={format.name}>
          <a href={addressOf(downloadIn(format.name))} type={format.type}>
            {t(titleOfFormat(format))}
          </a>
        </li>
      ))}
    </ul>
  )
}

type ApiRequestProps = {
  readonly context: PageContext
  readonly json: string
  /** The other formats of this address, for a page that does not link to them elsewhere. */
  readonly formats?: readonly Format[]
}

/** The API request for a page whose default format is JSON. */
export const ApiRequest = ({ json, ...props }: ApiRequestProps) => (
  <ApiRequestIn {...props} type="application/json" text={indented(json)} />
)

/**
 * The API request for a page of a list.
 * @param json the list with its first records alone
 * @param left how many records of the page are left out
 */
export const ListApiRequest = ({
  json,
  left,
  ...props
}: ApiRequestProps & { readonly left: number }) => {
  const more =
    left === 0
      ? ''
      : `,\n    ${plural(left, '… and {count} record more', '… and {count} records more')}`
  const text = indented(json).replace(endOfList, (end) => more + end)
  return <ApiRequestIn {...props} type="application/json" text={text} />
}

const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

const endOfList = /\n {2}\]\n\}$/

const maxShownLength = 60_000

/**
 * The API request for a page, as HTTP and for curl, with the beginning of its response.
 * @param text the body of the response
 */
export const ApiRequestIn = ({
  context,
  type,
  text,
  formats,
}: {
  readonly context: PageContext
  readonly type: string
  readonly text: string
  readonly formats?: readonly Format[] | undefined
}) => {
  const { origin, path, query } = context
  // A single quote in the path would end the quoted address in a shell.
  const address = withParameters(path, query, { format: undefined }).replaceAll("'", '%27')
  return (
    <details class="request" data-needs-service>
      <summary>{t('Get this page as data (API)')}</summary>
      {formats && <FormatLinks context={context} formats={formats} title={t('This page')} />}
      <pre class="code" tabIndex={0}>
        {`GET ${address}\nHost: ${new URL(origin).host}\nAccept: ${type}`}
      </pre>
      <pre class="code" tabIndex={0}>
        {`curl -H 'Accept: ${type}' '${origin}${address}'`}
      </pre>
      <pre class="code json" tabIndex={0}>
        {text.slice(0, maxShownLength)}
        {text.length > maxShownLength &&
          `\n${plural(text.length - maxShownLength, '… and {count} character more', '… and {count} characters more')}`}
      </pre>
    </details>
  )
}

/** The first format of each name: some formats have several media types. */
const distinctByName = (formats: readonly Format[]): Format[] =>
  formats.filter(
    ({ name }, index) => formats.findIndex((candidate) => candidate.name === name) === index,
  )
