// Builds the MARC 21 authority record of an agent, by RDA (docs/reference/marc.md, "MARC authority
// records"). Pronouns are not gender, so field 375 is never made; telephone numbers have no field
// in MARC 21. Private fields never arrive here: record-accessor.ts leaves them out.

import type { RecordAccessor } from '../record-accessor.js'
import { statusOf } from './bibliographic.js'
import {
  type MarcRecord,
  type BuildField,
  type FieldWithIndicators,
  type MarcField,
  constant,
  eachValue,
  enteredOf,
  fieldsOf,
  plain,
  subfields,
  codedTerms,
  transactionOf,
} from './fields.js'
import { headingOf, isPerson, withNameIndicator } from './names.js'

// prettier-ignore
export const authorityFields = (agency: string): readonly MarcField[] => [
  // tag  ind.  from                 subfields
  ['024', '7_', 'agent_id',          (agent) => [subfields('a', agent.iri, '2', 'uri')]],
  ['024', '7_', 'orcid',             (agent) => withSource(lastPart(agent.text('orcid')), 'orcid')],
  ['024', '7_', 'wikidata',          (agent) => withSource(agent.text('wikidata'), 'wikidata')],
  ['024', '7_', 'other_identifiers', knownIdentifiers],
  ['024', '8_', 'other_identifiers', otherIdentifiers],
  ['040', '__', '',                  constant('a', agency, 'b', 'eng', 'e', 'rda', 'c', agency)],
  ['046', '__', 'active_dates',      activeYears],
  ['100', '1_', 'sort_name',         ofPersons(headingField)],      // else display_name
  ['110', '2_', 'display_name',      ofBodies(headingField)],
  ['368', '__', 'kind',              ofBodies((agent) => agent.codes('kind').map(({ label }) => subfields('a', label, '2', 'local')))],
  ['370', '__', 'location',          eachValue('e')],
  ['371', '__', 'email',             (agent) => [subfields('m', agent.text('email'), 'u', agent.text('website'))]], // $u from website
  ['372', '__', 'roles',             ofBodies(codedTerms('local'))],
  ['374', '__', 'roles',             ofPersons(codedTerms('local'))],
  ['400', '1_', 'alternative_names', ofPersons(nameVariants)],     // and display_name
  ['400', '1_', 'legal_name',        ofPersons(legalName)],
  ['410', '2_', 'alternative_names', ofBodies(nameVariants)],      // and sort_name
  ['410', '2_', 'legal_name',        ofBodies(legalName)],
  ['678', '0_', 'biography',         ofPersons(eachValue('a'))],
  ['678', '1_', 'biography',         ofBodies(eachValue('a'))],
  ['680', '__', 'active_dates',      (agent, from) => agent.values(from).filter((text) => !yearsPattern.test(text)).map((text) => subfields('i', `Active: ${text}`))],
  ['680', '__', 'pronouns',          (agent, from) => agent.values(from).map((text) => subfields('i', `Pronouns: ${text}`))],
  ['667', '__', 'staff_note',        eachValue('a')],
  ['680', '__', 'scope_note',        eachValue('i')],
  ['856', '4_', 'social_media',      eachValue('u')],
]

/** @param agency the cataloguing agency: its MARC code or, where it has none, its name */
export function createAuthorityRecord(agency: string): (agent: RecordAccessor) => MarcRecord {
  const table = authorityFields(agency)
  return (agent) => ({
    leader: `00000${statusOf(agent)}z  a2200000n  4500`,
    control: [
      ['001', agent.id],
      ['003', agency],
      ['005', transactionOf(agent.text('updated_at'))],
      ['008', enteredOf(agent.text('created_at')) + fixedCodes(agent)],
    ],
    data: fieldsOf(table, agent),
  })
}

// 008/06-39: an established heading by the rules that 040 $e names; used for names, not for
// subdivisions of subjects or for series; references not evaluated; a person's name is
// differentiated.
const fixedCodes = (agent: RecordAccessor): string =>
  `n| aznnnaabn          || a${isPerson(agent) ? 'a' : 'n'}a     d`

function ofPersons(build: BuildField): BuildField {
  return (agent, from) => (isPerson(agent) ? build(agent, from) : [])
}

function ofBodies(build: BuildField): BuildField {
  return (agent, from) => (isPerson(agent) ? [] : build(agent, from))
}

const withSource = (value: string, scheme: string) =>
  value === '' ? [] : [subfields('a', value, '2', scheme)]

const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

// The prefixes of identifiers that are among MARC's Standard Identifier Source Codes.
const schemePattern = /^(gnd|isni|viaf):\s*(\S.*)$/i

function knownIdentifiers(agent: RecordAccessor, from: string) {
  return agent.values(from).flatMap((value) => {
    const [, name = '', identifier = ''] = schemePattern.exec(value) ?? []
    return withSource(identifier, name.toLowerCase())
  })
}

function otherIdentifiers(agent: RecordAccessor, from: string) {
  return agent
    .values(from)
    .filter((value) => !schemePattern.test(value))
    .map((value) => subfields('a', value))
}

const yearsPattern = /^(\d{4})(?: ?([-–/]) ?(\d{4})?)?$/

// $s without $t is a beginning; a single year is both.
function activeYears(agent: RecordAccessor, from: string) {
  return agent.values(from).flatMap((text) => {
    const [, start, until, end] = yearsPattern.exec(text) ?? []
    return start ? [subfields('s', start, 't', end ?? (until ? '' : start), '2', 'edtf')] : []
  })
}

function headingField(agent: RecordAccessor): FieldWithIndicators[] {
  const name = headingOf(agent)
  return [withNameIndicator(agent, name, [['a', name]])]
}

/** The other names, and the form of the name that is not the heading. */
function nameVariants(agent: RecordAccessor, from: string): FieldWithIndicators[] {
  const ownHeading = headingOf(agent)
  const forms = [agent.text('display_name'), agent.text('sort_name')].map(plain)
  const others = forms.filter(
    (form) => form !== '' && form !== ownHeading && directOrder(form) !== directOrder(ownHeading),
  )
  return [...new Set([...others, ...agent.values(from).map(plain)])].map((name) =>
    withNameIndicator(agent, name, [['a', name]]),
  )
}

/**
 * The name in direct order: `Thompson, Eric` and `Eric Thompson` are the same name, not variants.
 */
const directOrder = (name: string): string => name.split(', ').reverse().join(' ')

function legalName(agent: RecordAccessor, from: string): FieldWithIndicators[] {
  return agent
    .values(from)
    .map(plain)
    .map((name) =>
      withNameIndicator(agent, name, [
        ['w', 'r'],
        ['i', 'Legal name:'],
        ['a', name],
      ]),
    )
}
