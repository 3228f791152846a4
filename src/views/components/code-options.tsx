// The choices of a select or of a list of suggestions: the entries of a vocabulary.

import type { Vocabulary } from '../../model/vocabulary.js'
import { entriesOf } from '../translate.js'

export const CodeOptions = ({
  vocabulary,
  current,
}: {
  readonly vocabulary: Vocabulary | undefined
  /** The code that is chosen. */
  readonly current?: string
}) => (
  <>
    {vocabulary &&
      entriesOf(vocabulary).map(({ code, label }) => (
        <option key={code} value={code} selected={code === current}>
          {label}
        </option>
      ))}
  </>
)
