// What this feature adds to the service.

import { feedTokenEndpoints } from './feed-tokens.js'
import { type TaskFeedDependencies, taskFeedEndpoint } from './task-feed.js'

export const tasksFeature = {
  name: 'tasks',
  api: feedTokenEndpoints,
  pages: (parts: TaskFeedDependencies) => [taskFeedEndpoint(parts)],
}
