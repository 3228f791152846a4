// The request that fetches by the API what a page shows, its JSON, and its other formats.

import type { Format } from '../formats/press.js'
import { withParameters } from './links.js'
import type { Visit } from './page.js'

const titles: Readonly<Record<string, string>> = {
  json: 'JSON',
  jsonld: 'JSON-LD',
  csv: 'CSV',
  dc: 'Dublin Core',
  turtle: 'Turtle',
  ntriples: 'N-Triples',
  rdfxml: 'RDF/XML',
  bibtex: 'BibTeX',
  marcxml: 'MARCXML',
  yaml: 'YAML',
}

export const Formats = ({
  visit: { path, query },
  formats,
}: {
  readonly visit: Visit
  readonly formats: readonly Format[]
}) => (
  <nav class="formats" aria-label="Formats">
    <h2>Take it with you</h2>
    <ul>
      {distinctByName(formats).map(({ name, type }) => (
        <li key={name}>
          <a href={withParameters(path, query, { format: name })} type={type}>
            {titles[name] ?? name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

export const Request = ({
  visit: { origin, path, query },
  json,
}: {
  readonly visit: Visit
  readonly json: string
}) => {
  const address = withParameters(path, query, { format: undefined })
  return (
    <details class="request">
      <summary>The same by API</summary>
      <pre class="code" tabIndex={0}>
        {`GET ${address}\nHost: ${new URL(origin).host}\nAccept: application/json`}
      </pre>
      <pre
        class="code"
        tabIndex={0}
      >{`curl -H 'Accept: application/json' '${origin}${address}'`}</pre>
      <pre class="code json" tabIndex={0}>
        {JSON.stringify(JSON.parse(json), null, 2)}
      </pre>
    </details>
  )
}

const distinctByName = (formats: readonly Format[]): Format[] => [
  ...new Map(formats.map((format) => [format.name, format])).values(),
]
