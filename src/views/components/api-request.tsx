// The request that fetches by the API what a page shows, its JSON, and its other formats.

import { type Format, titleOfFormat } from '../../formats/serializer.js'
import { withParameters } from '../links.js'
import type { PageContext } from '../layout.js'

export const FormatLinks = ({
  visit: { path, query },
  formats,
}: {
  readonly visit: PageContext
  readonly formats: readonly Format[]
}) => (
  <nav class="formats" aria-label="Formats">
    <h2>Take it with you</h2>
    <ul>
      {distinctByName(formats).map((format) => (
        <li key={format.name}>
          <a href={withParameters(path, query, { format: format.name })} type={format.type}>
            {titleOfFormat(format)}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** For what is shown as JSON to those who do not mind. */
export const ApiRequest = ({
  visit,
  json,
}: {
  readonly visit: PageContext
  readonly json: string
}) => (
  <ApiRequestIn
    visit={visit}
    type="application/json"
    text={JSON.stringify(JSON.parse(json), null, 2)}
  />
)

const longest = 60_000

/** @param text what is answered */
export const ApiRequestIn = ({
  visit: { origin, path, query },
  type,
  text,
}: {
  readonly visit: PageContext
  readonly type: string
  readonly text: string
}) => {
  // A path may hold the sign that ends a text in a shell.
  const address = withParameters(path, query, { format: undefined }).replaceAll("'", '%27')
  return (
    <details class="request">
      <summary>The same by API</summary>
      <pre class="code" tabIndex={0}>
        {`GET ${address}\nHost: ${new URL(origin).host}\nAccept: ${type}`}
      </pre>
      <pre class="code" tabIndex={0}>{`curl -H 'Accept: ${type}' '${origin}${address}'`}</pre>
      <pre class="code json" tabIndex={0}>
        {text.slice(0, longest)}
        {text.length > longest &&
          `\n… and ${(text.length - longest).toLocaleString('en')} characters more`}
      </pre>
    </details>
  )
}

/** The first of each name, which is the one that clients who do not mind are answered in. */
const distinctByName = (formats: readonly Format[]): Format[] =>
  formats.filter(({ name }, index) => formats.findIndex((one) => one.name === name) === index)
