// What a request asks of the reference lists: the entries or places it searches, or the one in its
// path (docs/reference/records.md, "Reference lists").

import { NotFoundError } from '../../errors.js'
import { parseSearchTerms } from '../../catalogue/search-terms.js'
import type { Place, Places } from '../../model/places.js'
import type { Vocabulary, VocabularyEntry } from '../../model/vocabulary.js'
import type { RequestContext } from '../../http/context.js'
import { paginate, parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam, queryParams } from '../../http/request/url.js'

/**
 * The entries whose code or label contains every search term.
 * @param furtherLabel another text of an entry that may contain them
 */
export function searchEntries(
  ctx: RequestContext,
  { entries }: Vocabulary,
  furtherLabel: (entry: VocabularyEntry) => string = () => '',
): readonly VocabularyEntry[] {
  const terms = parseSearchTerms(queryParam(ctx, 'search'))
  return entries.filter((entry) => {
    const text = `${entry.code}\n${entry.label}\n${furtherLabel(entry)}`.toLowerCase()
    return terms.every((term) => text.includes(term))
  })
}

/** The entry in the path. @throws NotFoundError */
export function requireEntry(ctx: RequestContext, vocabulary: Vocabulary): VocabularyEntry {
  const entry = vocabulary.find(ctx.params.code ?? '')
  if (!entry) throw new NotFoundError()
  return entry
}

/**
 * The requested page of the matching places.
 * @param inOrder puts them in another order
 * @throws NotFoundError
 */
export function searchPlaces(
  ctx: RequestContext,
  places: Places,
  inOrder = (matches: readonly Place[]): readonly Place[] => matches,
) {
  const params = queryParams(ctx)
  const pageQuery = parsePageQuery(ctx)
  const matches = places.search({
    terms: parseSearchTerms(params.get('search') ?? ''),
    countryCode: params.get('country_code') ?? '',
    level: params.get('level') ?? '',
  })
  const { count, results } = paginate(inOrder(matches), pageQuery)
  return { pageQuery, count, results, links: setPageLinks(ctx, pageQuery, count) }
}

/** The place in the path. @throws NotFoundError */
export function requirePlace(ctx: RequestContext, places: Places): Place {
  const place = places.find(ctx.params.geoname_id ?? '')
  if (!place) throw new NotFoundError()
  return place
}
