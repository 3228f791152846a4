// OAI-PMH 2.0 at `/oai`, where harvesters get all records, or those that changed
// (docs/reference/oai-pmh.md). What it answers is in verbs.ts.

import type { Format } from '../../formats/serializer.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { requestOrigin } from '../../http/origin.js'
import { readForm } from '../../http/request/body.js'
import { type OaiDependencies, OaiAnswers } from './verbs.js'

const formType = 'application/x-www-form-urlencoded'

const formats: readonly Format[] = [
  { name: 'oai', type: 'text/xml' },
  { name: 'oai', type: 'application/xml' },
]

export function oaiEndpoint(dependencies: OaiDependencies): Endpoint {
  const answers = new OaiAnswers(dependencies)

  async function send(ctx: RequestContext, encoded: string): Promise<void> {
    const text = await answers.answer(encoded, `${requestOrigin(ctx)}/oai`)
    ctx.set('Cache-Control', 'no-cache')
    ctx.set('Content-Type', 'text/xml; charset=utf-8')
    ctx.body = text
  }

  return {
    path: '/oai',
    name: 'OAI-PMH',
    description: 'All records, or those that changed, for harvesters: OAI-PMH 2.0.',
    formats,
    // OAI-PMH knows no negotiation.
    ignoresAccept: true,
    // `format` is no argument of OAI-PMH, and is refused as one.
    formatName: () => '',
    consumes: [formType],
    anonymousWrite: true,
    methods: {
      GET: (ctx) => send(ctx, ctx.querystring),
      async POST(ctx) {
        const form = (await readForm(ctx)).toString()
        await send(ctx, [ctx.querystring, form].filter((part) => part !== '').join('&'))
      },
    },
  }
}
