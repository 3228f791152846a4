// Linked data: what the IRIs under the base answer with. A thing leads to its record (303); a
// vocabulary, the ontology and the JSON-LD context are documents. Their addresses have no slash at the end.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { RecordNotFoundError } from '../../catalogue/errors.js'
import { contextPath } from '../../formats/jsonld/context.js'
import { jsonld } from '../../formats/jsonld/jsonld.js'
import type { Serializers } from '../../formats/serializers.js'
import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { schemeTriples } from '../../formats/vocabularies.js'
import { type Iris, resourceNames } from '../../model/iris.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { type Quad, encodeSegment } from '../../rdf/terms.js'
import { recordIdParam } from '../request/list-query.js'
import { sendText } from '../response/conditional.js'
import type { Endpoint, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { requestOrigin } from '../request/url.js'

/** What a browser is shown of the documents. */
export type LinkedPages = {
  readonly scheme: (vocabulary: Vocabulary) => Handler
  readonly ontology: Handler
}

export type LinkedData = {
  readonly iris: Iris
  readonly catalogue: Catalogue
  readonly serializers: Serializers
  readonly vocabularies: readonly Vocabulary[]
  readonly ontology: readonly Quad[]
  readonly around: RdfContext
  readonly pages: LinkedPages
  /** The JSON-LD context. */
  readonly context: string
}

export const linkedDataEndpoints = (linked: LinkedData): Endpoint[] => [
  ...thingEndpoints(linked),
  ...linked.vocabularies.map((vocabulary) => schemeEndpoint(vocabulary, linked)),
  {
    path: '/ns',
    name: 'Ontology',
    description: 'The properties and classes with which the catalogue describes its records.',
    formats: rdfFormats,
    htmlHandler: linked.pages.ontology,
    methods: {
      GET: (ctx) => sendText(ctx, serializeRdf(ctx.state.format, linked.ontology, linked.around)),
    },
  },
  contextEndpoint(linked.context),
]

const thingEndpoints = ({ iris, catalogue, serializers }: LinkedData): Endpoint[] =>
  resourceNames.map((name) => ({
    path: `/id/${name}/:id`,
    name: 'Thing',
    description: `One of the ${name} itself; its record describes it.`,
    formats: serializers[name],
    methods: {
      async GET(ctx) {
        const id = recordIdParam(ctx)
        if (!(await catalogue.exists(name, id))) throw new RecordNotFoundError()
        const path = `${new URL(iris.base).pathname.replace(/\/$/, '')}/api/${name}/`
        const record = new URL(`${requestOrigin(ctx)}${path}${encodeSegment(id)}/${ctx.search}`)
          .href
        ctx.status = 303
        ctx.set('Location', record)
        ctx.append('Link', `<${record}>; rel="describedby"`)
        ctx.body = ''
      },
    },
  }))

function schemeEndpoint(vocabulary: Vocabulary, { iris, around, pages }: LinkedData): Endpoint {
  return {
    path: vocabulary.scheme.value.slice(iris.base.length),
    name: vocabulary.title,
    description: `The concept scheme of ${vocabulary.title.toLowerCase()}, with all its concepts.`,
    formats: rdfFormats,
    htmlHandler: pages.scheme(vocabulary),
    methods: {
      GET: (ctx) =>
        sendText(
          ctx,
          serializeRdf(ctx.state.format, schemeTriples(vocabulary, vocabulary.entries), around),
        ),
    },
  }
}

// Read by every page and program that reads our JSON-LD, wherever it runs.
function contextEndpoint(context: string): Endpoint {
  return {
    path: contextPath,
    name: 'JSON-LD context',
    description: 'What the keys of the JSON mean.',
    formats: [jsonld, json],
    methods: {
      GET(ctx) {
        ctx.set('Access-Control-Allow-Origin', '*')
        ctx.set('Cache-Control', 'public, max-age=86400, stale-while-revalidate=604800')
        sendText(ctx, context)
      },
    },
  }
}
