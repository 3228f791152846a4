// The endpoint that proves that texts are gone (docs/reference/history.md, "Proof"). The texts are in
// the body, which no log has.

import { ForbiddenError } from '../../errors.js'
import { json } from '../../formats/common-formats.js'
import { requiredMessage } from '../../model/record/input.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { readBody } from '../../http/request/body.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { type RemovalProof, isGone, textsIn } from './removal-proof.js'

export type RemovalProofDependencies = {
  readonly proveRemoval: (texts: readonly string[]) => Promise<RemovalProof>
}

const proofSchema = schema.component('RemovalProof', 'Where texts still are.', {
  gone: schema.boolean({ description: 'Whether they are nowhere.' }),
  files: schema.listOf(schema.text(), 'The files of the data directory, by their paths there.'),
  records: schema.listOf(
    schema.object({ kind: schema.text(), id: schema.text() }),
    'The records, also by private fields.',
  ),
  entries: schema.mapOf(
    schema.integer(),
    'How many other entries of the store, by the beginnings of their keys.',
  ),
  answers: schema.listOf(schema.text(), 'The addresses whose answers to everybody have them.'),
})

export const removalProofEndpoint = ({ proveRemoval }: RemovalProofDependencies): Endpoint => ({
  path: '/api/removal-proof/',
  name: 'Removal Proof',
  description:
    'Looks for the bytes of texts, in every spelling and encoding, in all files of the data directory, in all records, and in what everybody may ask for. ' +
    'Only administrators may do this. The texts are kept nowhere. It takes as long as reading all data.',
  formats: [json],
  methods: {
    async POST(ctx) {
      if (ctx.state.account?.role !== 'admin') throw new ForbiddenError()
      const text = (await readBody(ctx)).get('text')
      const texts = typeof text === 'string' ? textsIn(text) : []
      if (texts.length === 0) throw httpErrors.invalidField('text', requiredMessage)
      const proof = await proveRemoval(texts)
      ctx.set('Cache-Control', 'private, no-store')
      sendJson(ctx, {
        gone: isGone(proof),
        files: [...proof.files],
        records: proof.records.map(({ target, id }) => ({ kind: target, id })),
        entries: proof.entries,
        answers: [...(proof.answers ?? [])],
      } satisfies schema.ValueOf<typeof proofSchema>)
    },
  },
  operations: {
    POST: {
      request: schema.object({ text: schema.text('What is to be gone: a text on each line.') }),
      response: proofSchema,
    },
  },
})
