// Profiles: how they are checked, changed and proposed for a source.

import { expect } from 'chai'

import { loadResources } from '../../../src/app/load-model.js'
import { mapRow } from '../../../src/imports/mapping/map-row.js'
import {
  ProfileError,
  mergeProfile,
  parseProfile,
} from '../../../src/imports/mapping/profile-parser.js'
import { proposeProfile, shippedProfiles } from '../../../src/imports/mapping/propose-profile.js'
import { createRecordBuilder } from '../../../src/imports/mapping/record-builder.js'
import type { Profile } from '../../../src/imports/profile.js'
import type { SourceRow } from '../../../src/imports/sources/source.js'
import { failureOf } from '../error-of.js'

const resources = await loadResources()

const valid = {
  version: 1,
  name: 'Our sheet',
  identifiers: { zines: 'x-{row}', holdings: '{zine}-{item}', agents: '' },
  rules: [{ from: 'Title', to: 'zines.title', as: 'title' }],
}

async function mistakesOf(value: unknown): Promise<readonly string[]> {
  const error = await failureOf(Promise.resolve().then(() => parseProfile(value, resources)))
  return error instanceof ProfileError ? error.mistakes : []
}

describe('parseProfile', () => {
  for (const profile of shippedProfiles(resources))
    it(`accepts the shipped profile "${profile.name}" as a JSON file has it`, () => {
      const written = JSON.parse(JSON.stringify(profile)) as unknown
      expect(JSON.parse(JSON.stringify(parseProfile(written, resources)))).to.deep.equal(written)
    })

  it('fills what may be left out', () => {
    const { source, defaults, names, terms, description } = parseProfile(valid, resources)
    expect({ source, defaults, names, terms, description }).to.deep.equal({
      source: {},
      defaults: { zines: {}, holdings: {} },
      names: {},
      terms: {},
      description: '',
    })
  })

  it('lists every mistake with its place', async () => {
    const mistakes = await mistakesOf({
      version: 2,
      name: ' ',
      colour: 'red',
      source: { type: 'word', skipRows: -1 },
      identifiers: { zines: 'x', holdings: '', agents: 5 },
      items: '95',
      rules: [
        { from: '', to: 'zines.zine' },
        { from: 'A', to: 'zines.colour', as: 'colour', kind: 'Robot' },
        7,
      ],
      defaults: {
        zines: { title: null, rights: 'no-code', issue_designation: ['1'] },
        holdings: { colour: 'red' },
      },
      names: { Ann: { use: '' } },
      terms: { colours: {}, subjects: { a: { field: 'title', code: 'b' }, b: { code: 1 } } },
      duplicates: { catalogue: 'perhaps', rows: { 0: 'skip' } },
    })
    const places = mistakes.map((mistake) => mistake.slice(0, mistake.indexOf(': ')))
    expect(places).to.have.members([
      'profile',
      'version',
      'name',
      'source.type',
      'source.skipRows',
      'identifiers.agents',
      'identifiers.zines',
      'identifiers.holdings',
      'items',
      'rules[0].from',
      'rules[0].to',
      'rules[1].to',
      'rules[1].as',
      'rules[1].kind',
      'rules[2]',
      'defaults.zines.title',
      'defaults.zines.rights',
      'defaults.zines.issue_designation',
      'defaults.holdings.colour',
      'names["Ann"]',
      'terms.colours',
      'terms.subjects["b"]',
      'terms.subjects["a"]',
      'duplicates.catalogue',
      'duplicates.rows',
    ])
  })

  it('refuses what is no object', async () => {
    expect(await mistakesOf([valid])).to.deep.equal(['The profile is a JSON object.'])
  })
})

describe('mergeProfile', () => {
  const profile = parseProfile(
    {
      ...valid,
      names: { Ann: { use: 'ann' }, Bo: { use: 'bo' } },
      defaults: { zines: { date: null } },
    },
    resources,
  )

  it('replaces the decisions that it is given, and keeps the others', () => {
    const { names, defaults } = mergeProfile(
      profile,
      { names: { Bo: { drop: true } }, defaults: { zines: { rights: null } } },
      resources,
    )
    expect(names).to.deep.equal({ Ann: { use: 'ann' }, Bo: { drop: true } })
    expect(defaults.zines).to.deep.equal({ date: null, rights: null })
  })

  it('removes a decision that is "none"', () => {
    const patch = { names: { Bo: 'none' }, defaults: { zines: { date: 'none' } } }
    const { names, defaults } = mergeProfile(profile, patch, resources)
    expect([names, defaults.zines]).to.deep.equal([{ Ann: { use: 'ann' } }, {}])
  })

  it('replaces all rules', () => {
    const rules = [{ from: 'Name', to: 'zines.title' }]
    expect(mergeProfile(profile, { rules }, resources).rules).to.deep.equal(rules)
  })

  it('refuses what would be no profile', () => {
    expect(() => mergeProfile(profile, { rules: 'none' }, resources)).to.throw(ProfileError)
  })
})

const propose = (
  rows: readonly Readonly<Record<string, string>>[],
  type: 'csv' | 'json-lines' = 'csv',
): Profile => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const recognized = { options: { type }, description: '', sheets: [], columns }
  return proposeProfile(recognized, rows.map(toRow), resources)
}

const toRow = (cells: Readonly<Record<string, string>>, index: number): SourceRow => ({
  number: index + 1,
  fields: Object.entries(cells).map(([name, text]) => ({ name, parts: [{ code: '', text }] })),
  remarks: [],
})

describe('proposeProfile', () => {
  it('knows an export of LibraryThing, and has rules for its columns only', () => {
    const profile = propose([
      {
        TITLE: 'A #1',
        'AUTHOR (last, first)': 'Lee, Ann',
        DATE: '?',
        COLLECTIONS: 'Your library',
        TAGS: 'a,b',
        COPIES: '1',
      },
    ])
    expect(profile.name).to.equal('LibraryThing')
    expect(profile.rules.map(({ from, to }) => [from, to])).to.deep.equal([
      ['TITLE', 'zines.title'],
      ['AUTHOR (last, first)', 'zines.creator'],
      ['DATE', 'zines.date'],
      ['TAGS', 'zines.subject'],
      ['COPIES', 'holdings.copy_count'],
      ['COLLECTIONS', 'nothing'],
    ])
    expect(profile.identifiers.zines).to.equal('{source}-{Book Id}|{import}-{row}')
  })

  it('knows our own CSV, whose codes and identifiers stay', () => {
    const cells = {
      zine_id: 'a',
      title: 'A|B',
      creator: 'ann|bo',
      creator_names: 'Ann|Bo',
      subject: 'punk',
    }
    const profile = propose([cells])
    const mapped = mapRow(toRow(cells, 0), profile, resources)
    const { zine, issues } = createRecordBuilder({ profile, resources }).toRecords(mapped)
    expect([...(zine?.body ?? [])]).to.deep.equal([
      ['zine_id', 'a'],
      ['title', 'A|B'],
      ['creator', ['ann', 'bo']],
      ['subject', ['punk']],
      ['genre', []],
      ['date', []],
      ['language', []],
      ['rights', []],
    ])
    expect([...(zine?.changes ?? [])], 'of a zine that is there').to.deep.equal([
      ['title', 'A|B'],
      ['creator', ['ann', 'bo']],
      ['subject', ['punk']],
    ])
    expect(issues).to.deep.equal([])
  })

  it('knows our own copies, which belong to zines that are there', () => {
    const cells = { holding_id: 'a-1', zine_id: 'a', repository_id: 'lib', notes: 'x\\|y|z' }
    const profile = propose([cells])
    const records = createRecordBuilder({ profile, resources }).toRecords(
      mapRow(toRow(cells, 0), profile, resources),
    )
    expect(records.zine).to.equal(undefined)
    expect(records.holdings.map(({ body }) => [...(body ?? [])])).to.deep.equal([
      [
        ['holding_id', 'a-1'],
        ['zine_id', 'a'],
        ['repository_id', 'lib'],
        ['notes', ['x|y', 'z']],
      ],
    ])
  })

  it('knows Dublin Core', () => {
    expect(propose([{ 'dc:title': 'A', 'dc:creator': 'B' }]).name).to.equal('Dublin Core')
  })

  it('guesses the columns of a spreadsheet, and leaves the others without a rule', () => {
    const profile = propose([
      {
        ID: '7',
        'Zine Title': 'A #1',
        'Zine Creator(s)': 'Ann',
        'Year Created': '1994',
        'City Created': 'Leeds',
        'State/Country': 'England',
        'Number of Pages': '8 pages',
        'Language(s)- ISO': 'EN',
        Keywords: 'a',
        'Keywords (2)': 'b, c',
        'Call No.': 'Z 1',
        'Internal Notes': 'x',
        Mood: 'good',
      },
    ])
    expect(profile.rules).to.deep.equal([
      { from: 'Zine Title', to: 'zines.title', as: 'title' },
      { from: 'Zine Creator(s)', to: 'zines.creator', as: 'names' },
      { from: 'Year Created', to: 'zines.date', as: 'date' },
      {
        from: 'City Created',
        with: ['State/Country'],
        join: ', ',
        to: 'zines.place_of_publication',
        as: 'place',
      },
      { from: 'Number of Pages', to: 'zines.number_of_pages', as: 'pages' },
      { from: 'Language(s)- ISO', to: 'zines.language', as: 'language' },
      { from: 'Keywords', to: 'zines.subject' },
      { from: 'Call No.', to: 'holdings.call_number' },
      { from: 'Internal Notes', to: 'private' },
    ])
    expect(profile.identifiers.zines).to.equal('{source}-{ID}|{import}-{row}')
  })

  it('parts the tags of one column at what separates them', () => {
    const splitOf = (Tags: string) => propose([{ Title: 'A', Tags }]).rules[1]?.split
    expect(['a, b', 'a; b, c', 'a'].map(splitOf)).to.deep.equal([',', ';', undefined])
  })
})
