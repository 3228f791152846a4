// What the IRIs of the data answer with: the IRI of a thing redirects to its record (303); the
// vocabularies, the ontology and the JSON-LD context are documents. These paths have no trailing
// slash.

import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { contextPath } from '../../formats/jsonld/context.js'
import { jsonld } from '../../formats/jsonld/jsonld.js'
import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import type { Serializers } from '../../formats/serializers.js'
import { schemeTriples } from '../../formats/vocabularies.js'
import { type Iris, resourceNames } from '../../model/iris.js'
import { vannNamespace } from '../../model/model-description.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { type Quad, encodeSegment } from '../../rdf/terms.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { hrefOf, requestAddress } from '../../http/address.js'
import { requestOrigin } from '../../http/origin.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'
import { redirectPermanently, redirectToOther } from '../../http/response/redirect.js'

/** The HTML pages of the documents. */
type LinkedDataPages = {
  readonly scheme: (vocabulary: Vocabulary) => Handler
  readonly ontology: Handler
  readonly shapes: Handler
}

type LinkedDataDependencies = {
  readonly iris: Iris
  readonly catalogue: Catalogue
  readonly serializers: Serializers
  readonly vocabularies: readonly Vocabulary[]
  /** The ontology and the shapes, as their documents have them. */
  readonly ontology: readonly Quad[]
  readonly shapes: readonly Quad[]
  readonly documentShapes: readonly Quad[]
  /** The version of both. */
  readonly version: string
  readonly rdfContext: RdfContext
  readonly pages: LinkedDataPages
  /** The JSON-LD context as JSON. */
  readonly context: string
}

export const linkedDataEndpoints = (dependencies: LinkedDataDependencies): Endpoint[] => [
  ...thingEndpoints(dependencies),
  ...dependencies.vocabularies.map((vocabulary) => schemeEndpoint(vocabulary, dependencies)),
  ontologyEndpoint(dependencies),
  shapesEndpoint(dependencies),
  documentShapesEndpoint(dependencies),
  contextEndpoint(dependencies.context),
  voidEndpoint,
  ...graphEndpoints(dependencies),
]

const thingEndpoints = ({ iris, catalogue, serializers }: LinkedDataDependencies): Endpoint[] =>
  resourceNames.map((name) => {
    const redirectToRecord: Handler = async (ctx) => {
      const id = recordIdParam(ctx)
      const basePath = new URL(iris.base).pathname.replace(/\/$/, '')
      if (!(await catalogue.exists(name, id))) {
        const into = await catalogue.mergedInto(name, id)
        if (into === undefined)
          throw (await catalogue.wasDeleted(name, id)) ? httpErrors.gone() : new NotFoundError()
        const thing = `${basePath}/id/${name}/${encodeSegment(into)}`
        redirectPermanently(ctx, hrefOf({ ...requestAddress(ctx), path: thing }))
        return
      }
      const path = `${basePath}/api/${name}/${encodeSegment(id)}/`
      const record = hrefOf({ ...requestAddress(ctx), path })
      redirectToOther(ctx, record)
      ctx.state.links = [{ relation: 'describedby', target: record }]
    }
    return {
      path: `/id/${name}/:id`,
      name: 'Thing',
      description: `The IRI of one of the ${name}; redirects to its record, or to the IRI that replaces it.`,
      formats: serializers[name],
      ignoresAccept: true,
      // The record has a page too.
      htmlHandler: redirectToRecord,
      methods: { GET: redirectToRecord },
    }
  })

function schemeEndpoint(
  vocabulary: Vocabulary,
  { iris, rdfContext, pages }: LinkedDataDependencies,
): Endpoint {
  return {
    path: vocabulary.scheme.value.slice(iris.base.length),
    name: vocabulary.title,
    description: `The concept scheme of ${vocabulary.title.toLowerCase()}, with all its concepts.`,
    formats: rdfFormats,
    htmlHandler: pages.scheme(vocabulary),
    methods: {
      GET(ctx) {
        const quads = schemeTriples(vocabulary, vocabulary.entries)
        sendText(ctx, serializeRdf(ctx.state.format, quads, rdfContext))
      },
    },
  }
}

function ontologyEndpoint(dependencies: LinkedDataDependencies): Endpoint {
  const { ontology, rdfContext, pages, version } = dependencies
  const context = withVann(rdfContext)
  const ofThisVersion =
    (handler: Handler): Handler =>
    (ctx) => {
      // The IRI of a version leads to that version, or nowhere.
      if (!['', version].includes(queryParam(ctx, 'version'))) throw new NotFoundError()
      return handler(ctx)
    }
  return {
    path: '/ns',
    name: 'Ontology',
    description: 'The properties and classes with which the catalogue describes its records.',
    formats: rdfFormats,
    htmlHandler: ofThisVersion(pages.ontology),
    methods: {
      GET: ofThisVersion((ctx) => sendText(ctx, serializeRdf(ctx.state.format, ontology, context))),
    },
  }
}

const withVann = ({ base, prefixes }: RdfContext): RdfContext => ({
  base,
  prefixes: { ...prefixes, vann: vannNamespace },
})

const shapesEndpoint = ({ shapes, rdfContext, pages }: LinkedDataDependencies): Endpoint => ({
  path: '/shapes',
  name: 'Shapes',
  description: 'What a record may say, as SHACL shapes.',
  formats: rdfFormats,
  htmlHandler: pages.shapes,
  methods: { GET: (ctx) => sendText(ctx, serializeRdf(ctx.state.format, shapes, rdfContext)) },
})

const documentShapesEndpoint = ({
  documentShapes,
  rdfContext,
}: LinkedDataDependencies): Endpoint => ({
  path: '/shapes/documents',
  name: 'Shapes of documents',
  description: 'What a document of records says, as SHACL shapes.',
  formats: rdfFormats,
  methods: {
    GET: (ctx) => sendText(ctx, serializeRdf(ctx.state.format, documentShapes, rdfContext)),
  },
})

const redirectToDataset =
  (status: 302 | 303): Handler =>
  (ctx) => {
    ctx.status = status
    ctx.set('Location', `${requestOrigin(ctx)}/dataset${ctx.search}`)
    ctx.body = ''
  }

/** Where programs look for the description of a dataset (VoID, 7.2). */
const voidEndpoint: Endpoint = {
  path: '/.well-known/void',
  name: 'VoID',
  description: 'Leads to the description of the dataset.',
  formats: rdfFormats,
  ignoresAccept: true,
  methods: { GET: redirectToDataset(302) },
}

/** The IRIs of the graphs that SPARQL has. They are described together with the dataset. */
const graphEndpoints = ({ iris: { base, graphs } }: LinkedDataDependencies): Endpoint[] =>
  [graphs.public, graphs.vocabularies].map(({ value }) => ({
    path: value.slice(base.length),
    name: 'Graph',
    description: 'The IRI of a graph; redirects to the description of the dataset.',
    formats: rdfFormats,
    ignoresAccept: true,
    // The dataset has a page too.
    htmlHandler: redirectToDataset(303),
    methods: { GET: redirectToDataset(303) },
  }))

// Every page and program that reads the JSON-LD loads the context, from any origin.
function contextEndpoint(context: string): Endpoint {
  return {
    path: contextPath,
    name: 'JSON-LD context',
    description: 'The meaning of the JSON keys.',
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
