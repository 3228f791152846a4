// The log of changes as a Linked Data Event Stream: pages of version objects, linked by the numbers
// of the changes (docs/reference/rdf-formats.md, "Changes"). It says which thing changed, and no
// value of it.

import type { ChangeFeed, PublicRecordChange } from '../../catalogue/history/change-feed.js'
import { rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import type { Iris } from '../../model/iris.js'
import { dcterms, prefixesUnder, rdf, schema, xsd } from '../../rdf/namespaces.js'
import {
  type NamedNode,
  type Quad,
  integer,
  iri,
  stringLiteral,
  triple,
  typedLiteral,
} from '../../rdf/terms.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'
import { type NumberedPage, changesPerPage, firstPage, readNumberedPage } from './change-pages.js'

type EventStreamDependencies = { readonly changes: ChangeFeed; readonly iris: Iris }

const namespaces = {
  as: 'https://www.w3.org/ns/activitystreams#',
  ldes: 'https://w3id.org/ldes#',
  tree: 'https://w3id.org/tree#',
} as const

const as = (name: string): NamedNode => iri(namespaces.as + name)
const ldes = (name: string): NamedNode => iri(namespaces.ldes + name)
const tree = (name: string): NamedNode => iri(namespaces.tree + name)

export const eventStreamEndpoints = (dependencies: EventStreamDependencies): Endpoint[] => {
  const { changes, iris } = dependencies
  return [
    {
      path: '/ldes',
      name: 'Event Stream',
      description: 'The changes of all records as a Linked Data Event Stream: where it begins.',
      formats: rdfFormats,
      methods: {
        GET(ctx) {
          ctx.set('Cache-Control', 'no-cache')
          const first = pageIri(dependencies, firstPage(changes))
          const title = stringLiteral(`Changes of the records: ${ctx.state.site.name}`)
          const stream = streamIri(iris)
          send(ctx, dependencies, [
            ...streamTriples(stream),
            triple(stream, dcterms('title'), title),
            triple(stream, tree('view'), first),
          ])
        },
      },
    },
    {
      path: '/ldes/page/:page',
      name: 'Event Stream Page',
      description: 'A page of the changes of all records, as version objects.',
      formats: rdfFormats,
      methods: {
        async GET(ctx) {
          const log = queryParam(ctx, 'log')
          if (log !== '' && log !== editionOf(changes))
            throw httpErrors.otherLog(editionOf(changes))
          const page = await readNumberedPage(ctx, changes)
          // Without the name of the log, the same address has another page after a backup was
          // restored, or an identifier was forgotten.
          const isFinal = page.isFull && log !== ''
          ctx.set('Cache-Control', isFinal ? 'public, max-age=31536000, immutable' : 'no-cache')
          send(ctx, dependencies, pageTriples(dependencies, page))
        },
      },
    },
  ]
}

function send(ctx: RequestContext, { iris }: EventStreamDependencies, triples: readonly Quad[]) {
  const { base } = iris
  const prefixes = { ...prefixesUnder(base), ...namespaces }
  sendText(ctx, serializeRdf(ctx.state.format, triples, { base, prefixes }))
}

const streamIri = ({ base }: Iris): NamedNode => iri(`${base}/ldes`)

const pageIri = ({ changes, iris }: EventStreamDependencies, number: number): NamedNode =>
  iri(`${iris.base}/ldes/page/${number}?log=${encodeURIComponent(editionOf(changes))}`)

/**
 * The name of the log; another one after identifiers were forgotten, since pages that are kept as
 * immutable have them.
 */
function editionOf(changes: ChangeFeed): string {
  const number = changes.lastForgetting()
  return number === 0 ? changes.name : `${changes.name}-${number}`
}

const streamTriples = (stream: NamedNode): Quad[] => [
  triple(stream, rdf('type'), ldes('EventStream')),
  triple(stream, ldes('timestampPath'), dcterms('created')),
  triple(stream, ldes('versionOfPath'), dcterms('isVersionOf')),
]

function pageTriples(
  dependencies: EventStreamDependencies,
  { number, changes, isFull }: NumberedPage,
): Quad[] {
  const { iris } = dependencies
  const [stream, page] = [streamIri(iris), pageIri(dependencies, number)]
  const part = (name: string | number): NamedNode => iri(`${page.value}#${name}`)
  const next = part('next')
  return [
    ...streamTriples(stream),
    triple(page, rdf('type'), tree('Node')),
    triple(page, dcterms('isPartOf'), stream),
    // Whether there is a further page is settled when this one is full; it may still be empty.
    ...(isFull
      ? [
          triple(page, tree('relation'), next),
          triple(next, rdf('type'), tree('GreaterThanRelation')),
          triple(next, tree('path'), schema('position')),
          triple(next, tree('value'), integer(number * changesPerPage)),
          triple(next, tree('node'), pageIri(dependencies, number + 1)),
        ]
      : []),
    ...changes.flatMap((change) => [
      triple(stream, tree('member'), part(change.sequence)),
      ...memberTriples(part(change.sequence), change, iris),
    ]),
  ]
}

const memberTypes = {
  created: as('Create'),
  updated: as('Update'),
  deleted: as('Delete'),
  merged: as('Move'),
} as const satisfies Readonly<Record<PublicRecordChange['change'], NamedNode>>

function memberTriples(
  member: NamedNode,
  { sequence, at, reference, change, into }: PublicRecordChange,
  iris: Iris,
): Quad[] {
  const thing = iris.thing(reference.target, reference.id)
  return [
    triple(member, rdf('type'), memberTypes[change]),
    triple(member, dcterms('isVersionOf'), thing),
    triple(member, dcterms('created'), typedLiteral(at, xsd('dateTime'))),
    triple(member, schema('position'), integer(sequence)),
    ...(into === undefined
      ? []
      : [triple(member, as('target'), iris.thing(reference.target, into))]),
  ]
}
