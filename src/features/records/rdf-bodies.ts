// Reads the body of a POST or PUT of a record: JSON, or an RDF document, which says the same by
// statements (docs/reference/records.md, "Writing RDF").

import { InvalidError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { MakeBody, RequestBody } from '../../catalogue/writes/planned-writes.js'
import { type GraphBuilderDependencies, GraphBuilder } from '../../formats/rdf/record-graph.js'
import {
  type InputStatement,
  createStatementGraph,
  statementKey,
} from '../../model/record/statement-graph.js'
import { type StatementDocument, StatementReader } from '../../model/record/statement-input.js'
import type { Resource } from '../../model/resources.js'
import type { DocumentThread } from '../../rdf/documents/document-thread.js'
import type { DocumentType, ReadDocument } from '../../rdf/documents/protocol.js'
import type { Quad } from '../../rdf/terms.js'
import { createYielder } from '../../lib/scheduling.js'
import type { RequestContext } from '../../http/context.js'
import { httpErrors } from '../../http/errors.js'
import { rdfTypeOf, readBody, readRdfText } from '../../http/request/body.js'

type RecordBodyDependencies = GraphBuilderDependencies & {
  readonly catalogue: Pick<Catalogue, 'read'>
  readonly documents: Pick<DocumentThread, 'read'>
}

export type RecordBodies = ReturnType<typeof createRecordBodies>

export function createRecordBodies(dependencies: RecordBodyDependencies) {
  const { catalogue, documents, iris } = dependencies
  const reader = new StatementReader(dependencies)
  const graphs = new GraphBuilder(dependencies)

  /** The body of a new record. @throws HttpError, ValidationError */
  async function readNew(ctx: RequestContext, resource: Resource): Promise<RequestBody> {
    const type = rdfTypeOf(ctx)
    if (!type) return readBody(ctx)
    const document = await readDocument(ctx, type, `${iris.base}/api/${resource.name}/`)
    return reader.read(document, { resource, id: undefined, before: undefined })
  }

  /**
   * The body of a record that is replaced.
   * @throws HttpError; the function that is returned throws ValidationError
   */
  async function readReplacement(
    ctx: RequestContext,
    resource: Resource,
    id: string,
  ): Promise<RequestBody | MakeBody> {
    const type = rdfTypeOf(ctx)
    if (!type) return readBody(ctx)
    const document = await readDocument(ctx, type, iris.thing(resource.name, id).value, async () =>
      graphs.buildGraph((await catalogue.read(resource.name, id)).record, 'detail'),
    )
    return (before) => reader.read(document, { resource, id, before })
  }

  /** @param findShown what readers of the present record are shown */
  async function readDocument(
    ctx: RequestContext,
    type: DocumentType,
    base: string,
    findShown: () => Promise<readonly Quad[]> = () => Promise.resolve([]),
  ): Promise<StatementDocument> {
    const { statements, meaningless } = await parseDocument(ctx, documents, type, base)
    const shown = new Set<string>()
    const maybeYield = createYielder()
    for (const quad of await findShown()) {
      shown.add(statementKey(toStatement(quad)))
      await maybeYield()
    }
    const graph = await createStatementGraph(statements, shown)
    return { graph, meaningless, isOrdered: type === 'application/ld+json' }
  }

  return { readNew, readReplacement }
}

/** @throws HttpError */
async function parseDocument(
  ctx: RequestContext,
  documents: RecordBodyDependencies['documents'],
  type: DocumentType,
  base: string,
): Promise<ReadDocument> {
  const text = await readRdfText(ctx, type)
  try {
    return await documents.read(type, text, base)
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error
    throw httpErrors.badRequest(
      `${titles[type]} error - ${error.message.slice(0, maxMessageLength).toWellFormed()}`,
    )
  }
}

const titles: Readonly<Record<DocumentType, string>> = {
  'application/ld+json': 'JSON-LD',
  'text/turtle': 'Turtle',
  'application/n-triples': 'N-Triples',
}

/** A message may quote the document. */
const maxMessageLength = 500

function toStatement({ subject, predicate, object }: Quad): InputStatement {
  const statement = { s: subject.value, p: predicate.value, o: object.value }
  if (object.termType !== 'Literal') return statement
  const { language, datatype } = object
  return { ...statement, literal: language === '' ? datatype.value : `@${language}` }
}
