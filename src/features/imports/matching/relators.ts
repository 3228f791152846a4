// Which field of a zine an agent belongs to, by what a source says that the agent did: a code or a
// term of the MARC relators, or a word that zine libraries use (standards/relators.tsv).

import { foldWords, singularOf } from '../../../lib/names/folding.js'
import { standardTable } from '../../../lib/standards.js'

/** `none` is for those who owned, gave or sold the copy. */
type RelatorField = 'creator' | 'contributor' | 'publisher' | 'none'

const relatorFields = standardTable(
  'relators',
  {
    field: /^(?:creator|contributor|publisher|none)$/,
    code: /^(?:[a-z]{3})?$/,
    term: /^[a-z ]+$/,
  },
  (rows) =>
    new Map(
      rows.flatMap(({ field, code, term }) =>
        [code, term]
          .filter((name) => name !== '')
          // The form of the column allows no other field.
          .map((name) => [normalize(name), field as RelatorField] as const),
      ),
    ),
)

/**
 * The field for a relator: `ill.`, `Editor`, `pbl`, `http://id.loc.gov/vocabulary/relators/aut`. Of
 * several in one text, such as `author, illustrator`, the first that is known counts; a creator
 * before all others.
 * @returns undefined for a word that is not known
 */
export function relatorField(relator: string): RelatorField | undefined {
  const text = relator.replace(/^.*\/relators\//, '')
  const fields = relatorFields()
  const whole = fields.get(normalize(text))
  if (whole) return whole
  const partFields = text
    .split(/[,;/&+]|\band\b/i)
    .flatMap((part) => fields.get(normalize(part)) ?? [])
  return partFields.includes('creator') ? 'creator' : partFields[0]
}

function normalize(text: string): string {
  return foldWords(text).map(singularOf).join(' ')
}
