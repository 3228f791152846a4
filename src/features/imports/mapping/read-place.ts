// Reads places, and tells them from texts which say that the place is not known.

import { cleanLine, withoutEndPunctuation } from './text.js'

const isUnknown =
  /^[[(]?(?:place of publication not identified|s\.? ?l\.?|(?:(?:location|origin|place|city) )?unknown(?: location)?|n\/a|none|[?\s.-]+)[\])]?$/i

/** The place without brackets and marks; undefined where it is not known. */
export function readPlace(text: string): string | undefined {
  const place = withoutEndPunctuation(cleanLine(text)).replace(/^\[([^[\]]*)\]$/, '$1')
  return place === '' || isUnknown.test(place) ? undefined : place
}
