// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { createPlacePages } from '../places/place.js'
import { referenceEndpoints } from './reference-lists.js'
import { createVocabularyPages } from './vocabulary.js'

type Parts = Omit<PartsOf<typeof referenceEndpoints>, 'pages'> &
  PartsOf<typeof createVocabularyPages> &
  PartsOf<typeof createPlacePages>

export const vocabulariesFeature = {
  name: 'vocabularies',
  api: (parts: Parts) =>
    referenceEndpoints({
      ...parts,
      pages: { ...createVocabularyPages(parts), ...createPlacePages(parts) },
    }),
}
