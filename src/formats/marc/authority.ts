// An agent as a MARC 21 authority record (mapping: 5), by RDA. Pronouns are not gender, so 375 is never
// made; telephone numbers have no place in MARC 21. Private fields are nothing a source ever tells.

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
export const authorityRows = (agency: string): readonly MarcField[] => [
  // tag  ind.  from                 subfields
  ['024', '7_', 'agent_id',          (agent) => [subfields('a', agent.iri, '2', 'uri')]],
  ['024', '7_', 'orcid',             (agent) => sourced(lastPart(agent.text('orcid')), 'orcid')],
  ['024', '7_', 'wikidata',          (agent) => sourced(agent.text('wikidata'), 'wikidata')],
  ['024', '7_', 'other_identifiers', known],
  ['024', '8_', 'other_identifiers', unknown],
  ['040', '__', '',                  constant('a', agency, 'b', 'eng', 'e', 'rda', 'c', agency)],
  ['046', '__', 'active_dates',      period],
  ['100', '1_', 'sort_name',         persons(heading)],      // else display_name
  ['110', '2_', 'display_name',      bodies(heading)],
  ['368', '__', 'kind',              bodies((agent) => agent.codes('kind').map(({ label }) => subfields('a', label, '2', 'local')))],
  ['370', '__', 'location',          eachValue('e')],
  ['371', '__', 'email',             (agent) => [subfields('m', agent.text('email'), 'u', agent.text('website'))]], // $u from website
  ['372', '__', 'roles',             bodies(codedTerms('local'))],
  ['374', '__', 'roles',             persons(codedTerms('local'))],
  ['400', '1_', 'alternative_names', persons(variants)],     // and display_name
  ['400', '1_', 'legal_name',        persons(legalName)],
  ['410', '2_', 'alternative_names', bodies(variants)],      // and sort_name
  ['410', '2_', 'legal_name',        bodies(legalName)],
  ['678', '0_', 'biography',         persons(eachValue('a'))],
  ['678', '1_', 'biography',         bodies(eachValue('a'))],
  ['680', '__', 'active_dates',      (agent, from) => agent.values(from).filter((text) => !years.test(text)).map((text) => subfields('i', `Active: ${text}`))],
  ['680', '__', 'pronouns',          (agent, from) => agent.values(from).map((text) => subfields('i', `Pronouns: ${text}`))],
  ['680', '__', 'scope_note',        eachValue('i')],
  ['856', '4_', 'social_media',      eachValue('u')],
]

/** @param agency who says it: MARC's code or, where there is none, a name */
export function createAuthorityRecord(agency: string): (agent: RecordAccessor) => MarcRecord {
  const table = authorityRows(agency)
  return (agent) => ({
    leader: `00000${statusOf(agent)}z  a2200000n  4500`,
    control: [
      ['001', agent.id],
      ['003', agency],
      ['005', transactionOf(agent.text('updated_at'))],
      ['008', enteredOf(agent.text('created_at')) + codesOf(agent)],
    ],
    data: fieldsOf(table, agent),
  })
}

// 008/06-39: an established heading by other rules, which 040 $e names; for names, not for subjects'
// subdivisions or series; references not looked at; a person who is told from others.
const codesOf = (agent: RecordAccessor): string =>
  `n| aznnnaabn          || a${isPerson(agent) ? 'a' : 'n'}a     d`

function persons(make: BuildField): BuildField {
  return (agent, from) => (isPerson(agent) ? make(agent, from) : [])
}

function bodies(make: BuildField): BuildField {
  return (agent, from) => (isPerson(agent) ? [] : make(agent, from))
}

const sourced = (value: string, scheme: string) =>
  value === '' ? [] : [subfields('a', value, '2', scheme)]

const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

// Those of MARC's Standard Identifier Source Codes that agents have.
const scheme = /^(gnd|isni|viaf):\s*(\S.*)$/i

function known(agent: RecordAccessor, from: string) {
  return agent.values(from).flatMap((value) => {
    const [, name = '', identifier = ''] = scheme.exec(value) ?? []
    return sourced(identifier, name.toLowerCase())
  })
}

function unknown(agent: RecordAccessor, from: string) {
  return agent
    .values(from)
    .filter((value) => !scheme.test(value))
    .map((value) => subfields('a', value))
}

const years = /^(\d{4})(?: ?([-–/]) ?(\d{4})?)?$/

// $s without $t is a beginning; a single year is both.
function period(agent: RecordAccessor, from: string) {
  return agent.values(from).flatMap((text) => {
    const [, start, until, end] = years.exec(text) ?? []
    return start ? [subfields('s', start, 't', end ?? (until ? '' : start), '2', 'edtf')] : []
  })
}

function heading(agent: RecordAccessor): FieldWithIndicators[] {
  const name = headingOf(agent)
  return [withNameIndicator(agent, name, [['a', name]])]
}

/** Other names, and the form of this one that is not the heading. */
function variants(agent: RecordAccessor, from: string): FieldWithIndicators[] {
  const used = headingOf(agent)
  const forms = [agent.text('display_name'), agent.text('sort_name')].map(plain)
  const others = forms.filter(
    (form) => form !== '' && form !== used && direct(form) !== direct(used),
  )
  return [...new Set([...others, ...agent.values(from).map(plain)])].map((name) =>
    withNameIndicator(agent, name, [['a', name]]),
  )
}

/** `Thompson, Eric` and `Eric Thompson` are one name: an inversion is no variant. */
const direct = (name: string): string => name.split(', ').reverse().join(' ')

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
