// What pages call the worklists, and what they say of them.

import type { WorklistName } from '../model/worklists.js'

type WorklistText = { readonly title: string; readonly explanation: string }

export const worklistTexts: Readonly<Record<WorklistName, WorklistText>> = {
  'no-copy': { title: 'No copy', explanation: 'No library has it.' },
  undated: { title: 'Undated', explanation: 'None of its dates names a year.' },
  'unknown-maker': {
    title: 'Unknown maker',
    explanation:
      'A maker has a name that stands for nobody, such as “Unknown maker” or “Anonymous”.',
  },
  'general-subject': {
    title: 'No subject but the general one',
    explanation:
      'It has only the subject “Zines and zine culture”, which is for zines that no narrower one fits.',
  },
  'broken-reference': {
    title: 'Broken reference',
    explanation: 'It names a maker, contributor or publisher that was deleted.',
  },
}
