// What this feature adds to the service: in a demonstration, how visitors sign in.

import { type DemoDependencies, guestEndpoint } from './sign-in.js'

export const demoFeature = {
  name: 'demo',
  pages: (parts: DemoDependencies) =>
    parts.resetsAt === undefined ? [] : [guestEndpoint(parts, parts.resetsAt)],
}
