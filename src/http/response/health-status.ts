// The paths for monitoring and the reasons that /readyz gives, shared by middleware/health.ts and
// the OpenAPI document.

export const healthPaths = ['/healthz', '/readyz', '/metrics'] as const

export type HealthPath = (typeof healthPaths)[number]

/**
 * Why the service cannot be used. `starting` is answered by server.ts, before the application
 * exists.
 */
export const notReadyReasons = ['starting', 'stopping', 'disk full', 'disk failed'] as const

export type NotReadyReason = (typeof notReadyReasons)[number]
