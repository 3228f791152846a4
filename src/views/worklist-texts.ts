// What pages call the worklists, and what they say of them.

import { message } from '../message.js'
import type { WorklistName } from '../model/worklists.js'

type WorklistText = { readonly title: string; readonly explanation: string }

export const worklistTexts: Readonly<Record<WorklistName, WorklistText>> = {
  'no-copy': { title: message('No copy'), explanation: message('No library has it.') },
  undated: { title: message('Undated'), explanation: message('None of its dates names a year.') },
  'unknown-maker': {
    title: message('Unknown maker'),
    explanation: message(
      'A maker has a name that stands for nobody, such as “Unknown maker” or “Anonymous”.',
    ),
  },
  'general-subject': {
    title: message('No subject but the general one'),
    explanation: message(
      'It has only the subject “Zines and zine culture”, which is for zines that no narrower one fits.',
    ),
  },
  'broken-reference': {
    title: message('Broken reference'),
    explanation: message('It names a maker, contributor or publisher that was deleted.'),
  },
}
