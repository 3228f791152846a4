// Records that are right in every field, for tests to send as they are or with something changed.

export const agent = (agent_id: string, more: object = {}) => ({
  agent_id,
  kind: 'Person',
  display_name: `Maker ${agent_id}`,
  public: true,
  ...more,
})

/** A zine by the agent `maker`. */
export const zine = (zine_id: string, more: object = {}) => ({
  zine_id,
  title: `Zine ${zine_id}`,
  creator: ['maker'],
  subject: ['punk'],
  genre: ['perzine'],
  date: ['1994'],
  language: ['en'],
  rights: ['unknown'],
  ...more,
})

export const repository = (repo_id: string, more: object = {}) => ({
  repo_id,
  repository_name: `Library ${repo_id}`,
  repository_kind: 'community-archive',
  country: 'US',
  ...more,
})

/** A copy of the zine `zine` in the repository `library`. */
export const holding = (holding_id: string, more: object = {}) => ({
  holding_id,
  zine_id: 'zine',
  repository_id: 'library',
  ...more,
})
