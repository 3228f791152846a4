// What those are told who watch the service. It is answered before any endpoint is asked, by watch.ts of
// the counter and, while the service starts, by server.ts.

import type { HealthPath } from '../../response/health-status.js'
import { type Operation, type PathItem, type Response, refer } from './document.js'
import { errorResponses, headersNamed } from './error-responses.js'

const told = (description: string, schema: string): Response => ({
  description,
  content: { 'application/json': { schema: refer('schemas', schema) } },
})

const watching = (operation: Omit<Operation, 'tags'>): PathItem => ({
  get: { ...operation, tags: ['service'] },
})

export const openApiHealthPaths: Readonly<Record<HealthPath, PathItem>> = {
  '/healthz': watching({
    operationId: 'healthz_retrieve',
    summary: 'Health',
    description: 'Whether the service lives and has loaded what it keeps. Never throttled.',
    security: [],
    responses: {
      200: told('It answers.', 'Health'),
      503: { ...told('It is still loading.', 'Health'), headers: headersNamed('Retry-After') },
    },
  }),
  '/readyz': watching({
    operationId: 'readyz_retrieve',
    summary: 'Readiness',
    description: 'Whether the service can be used, writing included. Never throttled.',
    security: [],
    responses: {
      200: told('It can be used.', 'Readiness'),
      503: told('It cannot be used now, and why.', 'Readiness'),
    },
  }),
  '/metrics': watching({
    operationId: 'metrics_retrieve',
    summary: 'Figures',
    description:
      'Figures of the service in the text format of Prometheus. Who is shown them is a setting: by default ' +
      'who asks from the same machine, and every account. Never throttled.',
    security: [{}, { tokenAuth: [] }],
    responses: {
      200: {
        description: 'The figures.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      ...errorResponses(401, 404, 500),
    },
  }),
}
