// The paths for monitoring, which are no endpoints: they are answered by middleware/health.ts and,
// while the service starts, by server.ts.

import { type HealthPath, notReadyReasons } from '../../http/response/health-status.js'
import { type Schema, component, choice } from '../../http/schemas.js'
import type { Operation, PathItem, Response } from './document.js'
import { errorResponses, headersNamed } from './error-responses.js'

const health = component('Health', 'Whether the service answers.', {
  status: choice(['ok', 'starting']),
})

const readiness = component('Readiness', 'Whether the service can be used, or why not.', {
  status: choice(['ready', ...notReadyReasons]),
})

const statusResponse = (description: string, schema: Schema): Response => ({
  description,
  content: { 'application/json': { schema } },
})

const healthPath = (operation: Omit<Operation, 'tags'>): PathItem => ({
  get: { ...operation, tags: ['service'] },
})

export const openApiHealthPaths: Readonly<Record<HealthPath, PathItem>> = {
  '/healthz': healthPath({
    operationId: 'healthz_retrieve',
    summary: 'Health',
    description: 'Whether the service runs and has loaded its data. Never throttled.',
    security: [],
    responses: {
      200: statusResponse('The service runs.', health),
      503: {
        ...statusResponse('The service is still starting.', health),
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
      200: statusResponse('The service is ready.', readiness),
      503: statusResponse('The service is not ready, with the reason.', readiness),
    },
  }),
  '/metrics': healthPath({
    operationId: 'metrics_retrieve',
    summary: 'Metrics',
    description:
      'Metrics of the service in the text format of Prometheus. A setting says who may read them: by default ' +
      'requests from the same machine, and all accounts. Never throttled.',
    security: [{}, { tokenAuth: [] }],
    responses: {
      200: {
        description: 'The metrics.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      ...errorResponses(401, 404, 500),
    },
  }),
}
