// What this feature adds to the service.

import { type FirstRunDependencies, firstRunEndpoint } from './first-run-form.js'
import { type WelcomeDependencies, welcomeEndpoint } from './welcome.js'

export const firstRunFeature = {
  name: 'first-run',
  pages: (parts: FirstRunDependencies & WelcomeDependencies) => [
    firstRunEndpoint(parts),
    welcomeEndpoint(parts),
  ],
}
