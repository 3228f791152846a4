// Proposes a profile for a source: a shipped one that fits, or one that is guessed from the names
// of the columns. A column that says nothing is left without a rule, so that people are asked where
// it goes.

import type { Resources } from '../../../model/resources.js'
import type { Profile } from '../profile.js'
import { bibliographyProfile, bibliographyProfiles } from '../profiles/bibliographies.js'
import { dublinCoreProfile } from '../profiles/dublin-core.js'
import { libraryThingProfile } from '../profiles/librarything.js'
import {
  type ItemTag,
  createMarcProfile,
  createMarcProfileWithoutItems,
  itemTags,
} from '../profiles/marc21.js'
import { findOwnProfile, ownProfiles } from '../profiles/own-formats.js'
import { rdfProfile } from '../profiles/rdf.js'
import { createUnimarcProfile } from '../profiles/unimarc.js'
import type { RecognizedSource, SourceRow } from '../../../lib/sources/source.js'
import { guessProfile } from './guess-profile.js'
import { isTag } from './selectors.js'
import { comparableHeading } from './text.js'

/** All shipped profiles; that for MARC 21 once, with items as Koha has them. */
export const shippedProfiles = (resources: Resources): readonly Profile[] => [
  createMarcProfile('952'),
  libraryThingProfile,
  ...ownProfiles(resources),
  dublinCoreProfile,
  createUnimarcProfile(false),
  rdfProfile,
  ...bibliographyProfiles,
]

/** @param sampleRows some rows from the beginning of the source */
export const proposeProfile = (
  recognized: RecognizedSource,
  sampleRows: readonly SourceRow[],
  resources: Resources,
): Profile => {
  const profile = chooseProfile(recognized, sampleRows, resources)
  const { hiddenColumns = [] } = recognized
  const isHidden = ({ from }: Profile['rules'][number]): boolean => hiddenColumns.includes(from)
  return {
    ...profile,
    rules: [
      ...profile.rules.filter((rule) => !isHidden(rule)),
      // Nobody meant to send what they have.
      ...hiddenColumns.map((from) => ({ from, to: 'private' }) as const),
    ],
    source: recognized.options,
  }
}

function chooseProfile(
  { columns, options }: RecognizedSource,
  rows: readonly SourceRow[],
  resources: Resources,
): Profile {
  const names = new Set([
    ...columns,
    ...rows.flatMap(({ fields }) => fields.map(({ name }) => name)),
  ])
  if (names.has('U200')) return createUnimarcProfile(names.has('245'))
  if (names.has('245') || (columns.length === 0 && [...names].some(isTag))) return chooseMarc(rows)
  const textsOf = (field: string): readonly string[] =>
    rows.flatMap(({ fields }) =>
      fields
        .filter(({ name }) => name === field)
        .flatMap(({ parts }) => parts.map(({ text }) => text)),
    )
  const bibliography = bibliographyProfile(options.type, textsOf)
  if (bibliography) return bibliography
  if (options.type === 'rdf') return rdfProfile
  const ownProfile = findOwnProfile(names, resources)
  if (ownProfile) return ownProfile
  const headings = new Set([...names].map(comparableHeading))
  if (isLibraryThing(headings)) return withColumns(libraryThingProfile, headings)
  if ([...names].some((name) => name.startsWith('dc:'))) return dublinCoreProfile
  return guessProfile([...names], rows)
}

function isLibraryThing(headings: ReadonlySet<string>): boolean {
  const has = (...names: readonly string[]): boolean =>
    names.every((heading) => headings.has(heading))
  return has('title', 'tags', 'collections') && (has('author last first') || has('primary author'))
}

/** A profile with only those rules whose column the source has. */
const withColumns = (profile: Profile, headings: ReadonlySet<string>): Profile => ({
  ...profile,
  shelves:
    profile.shelves && headings.has(comparableHeading(profile.shelves.from))
      ? profile.shelves
      : undefined,
  rules: profile.rules.filter(({ from }) => headings.has(comparableHeading(from))),
})

/** What an item has in each field, by which it is told from another use of the tag. */
const itemSubfields: Readonly<Record<ItemTag, readonly string[]>> = {
  '952': ['o', 'p', 'a'],
  '949': ['i', 'a', 'l'],
  '999': ['i', 'a', 'l'],
  '852': ['h', 'p', 'b', 'a', 'i', 'j', 'k'],
}

function chooseMarc(rows: readonly SourceRow[]): Profile {
  const score = (tag: ItemTag): number =>
    rows.filter(({ fields }) =>
      fields.some(
        ({ name, parts }) =>
          name === tag &&
          parts.filter(({ code }) => itemSubfields[tag].includes(code)).length >=
            (tag === '852' ? 1 : 2),
      ),
    ).length
  const [best] = itemTags
    .map((tag) => ({ tag, count: score(tag) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return best ? createMarcProfile(best.tag) : createMarcProfileWithoutItems()
}
