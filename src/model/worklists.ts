// The worklists: the filters of the list of zines that find those whose records need work
// (docs/how-to/cataloguing.md, "Worklists").

/** By name: the parameter and its value. */
export const worklistFilters = {
  'no-copy': ['has_holding', 'false'],
  undated: ['undated', 'true'],
  'unknown-maker': ['unknown_maker', 'true'],
  'general-subject': ['only_general_subject', 'true'],
  'broken-reference': ['broken_reference', 'true'],
} as const

export type WorklistName = keyof typeof worklistFilters

// The cast: the names are the keys.
export const worklistNames = Object.keys(worklistFilters) as readonly WorklistName[]
