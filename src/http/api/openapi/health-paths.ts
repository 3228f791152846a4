// The paths for monitoring, which are no endpoints: they are answered by middleware/health.ts and, while
// the service starts, by server.ts.

import type { HealthPath } from '../../response/health-status.js'
import { type Operation, type PathItem, type Response, refer } from './document.js'
import { errorResponses, headersNamed } from './error-responses.js'

const statusResponse = (description: string, schema: string): Response => ({
  description,
  content: { 'application/json': { schema: refer('schemas', schema) } },
})

const healthPath = (operation: Omit<Operation, 'tags'>): PathItem => ({
  get: { ...operation, tags: ['service'] },
})

export const openApiHealthPaths: Readonly<Record<HealthPath, PathItem>> = {
  '/healthz': healthPath({
    operationId: 'healthz_retrieve',
    summary: 'Health',
    description: 'Whether the service lives and has loaded what it keeps. Never throttled.',
    security: [],
    responses: {
      200: statusResponse('It answers.', 'Health'),
      503: {
        ...statusResponse('It is still loading.', 'Health'),
        headers: headersNamed('Retry-After'),
      },
    },
  }),
  '/readyz': healthPath({
    operationId: 'readyz_retrieve',
    summary: 'Readiness',
    description: 'Whether the service can be used, writing included. Never throttled.',
    security: [],
    responses: {
      200: statusResponse('It can be used.', 'Readiness'),
      503: statusResponse('It cannot be used now, and why.', 'Readiness'),
    },
  }),
  '/metrics': healthPath({
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
