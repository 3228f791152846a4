// What pages call the worklists, and what they say of them.

import { message } from '../message.js'
import type { WorklistName } from '../model/worklists.js'

type WorklistText = { readonly title: string; readonly explanation: string }

export const worklistTexts: Readonly<Record<WorklistName, WorklistText>> = {
  'no-copy': { title: message('No library copy'), explanation: message('No library here has it.') },
  undated: { title: message('Undated'), explanation: message('No year given.') },
  'unknown-maker': {
    title: message('Unknown maker'),
    explanation: message('The maker is “Unknown”, “Anonymous” or similar.'),
  },
  'general-subject': {
    title: message('Only a general subject'),
    explanation: message(
      'The only subject is “Zines and zine culture”. A more precise one may fit.',
    ),
  },
  'broken-reference': {
    title: message('Broken reference'),
    explanation: message('It names a maker, contributor or publisher that was deleted.'),
  },
}
