// Profiles: how they are checked, changed and proposed for a source.

import { expect } from 'chai'

import { loadResources } from '../../../src/app/load-model.js'
import { guessProfile } from '../../../src/features/imports/mapping/guess-profile.js'
import { mapRow } from '../../../src/features/imports/mapping/map-row.js'
import {
  ProfileError,
  mergeProfile,
  parseProfile,
} from '../../../src/features/imports/mapping/profile-parser.js'
import {
  proposeProfile,
  shippedProfiles,
} from '../../../src/features/imports/mapping/propose-profile.js'
import { createRecordBuilder } from '../../../src/features/imports/mapping/record-builder.js'
import type { Profile } from '../../../src/features/imports/profile.js'
import type { SourceRow } from '../../../src/lib/sources/source.js'
import { failureOf } from '../../error-of.js'

const resources = await loadResources()

const valid = {
  version: 1,
  name: 'Our sheet',
  identifiers: { zines: 'x-{row}', holdings: '{zine}-{item}', agents: '' },
  rules: [{ from: 'Title', to: 'zines.title', as: 'title' }],
}

async function mistakesOf(value: unknown): Promise<readonly string[]> {
  const error = await failureOf(Promise.resolve().then(() => parseProfile(value, resources)))
  return error instanceof ProfileError ? error.mistakes.map(String) : []
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
      { from: 'Internal Notes', to: 'holdings.staff_note' },
    ])
    expect(profile.identifiers.zines).to.equal('{source}-{ID}|{import}-{row}')
  })

  it('asks which collections are owned, and keeps readers and prices private', () => {
    const columns = [
      'Title',
      'Exclusive Shelf',
      'Owned Copies',
      'Lending Patron',
      'Recommended By',
      'Purchase Price',
      'Private Notes',
    ]
    const profile = guessProfile(columns, [])
    expect(profile.shelves).to.deep.equal({ from: 'Exclusive Shelf', split: undefined, owned: {} })
    expect(profile.rules.map(({ to }) => to)).to.deep.equal([
      'zines.title',
      'holdings.copy_count',
      'private',
      'private',
      'holdings.price',
      'holdings.staff_note',
      'nothing',
    ])
  })

  // Headings with where they go.
  const headings: readonly (readonly [string, string])[] = [
    ['Título', 'zines.title'],
    ['Titre', 'zines.title'],
    ['Autor/in', 'zines.creator'],
    ['Autor*innen', 'zines.creator'],
    ['Auteur·rice', 'zines.creator'],
    ['Autrice', 'zines.creator'],
    ['Verlag', 'zines.publisher'],
    ['Lieu d’édition', 'zines.place_of_publication'],
    ['Erscheinungsjahr', 'zines.date'],
    ['Mots-clés', 'zines.subject'],
    ['Palabras clave', 'zines.subject'],
    ['Seitenzahl', 'zines.number_of_pages'],
    ['Signatur', 'holdings.call_number'],
    ['Location', 'holdings.location'],
    ['Notes', 'private'],
    ['Comments', 'private'],
    ['Remarks', 'private'],
    ['Public notes', 'zines.public_notes'],
    ['Content warnings', 'zines.content_advice'],
    ['Dublin Core:Title', 'zines.title'],
    ['dcterms:creator', 'zines.creator'],
    ['Item Type Metadata:Call Number', 'holdings.call_number'],
    ['ca_objects.preferred_labels', 'zines.title'],
    ['preferred_labels', 'zines.title'],
    ['entities.creator', 'zines.creator'],
    ['Publisher/Press', 'zines.publisher'],
    ['Price paid', 'holdings.price'],
    ['Donor', 'holdings.donor'],
    ['Accession number', 'holdings.accession_number'],
    ['Cover price', 'private'],
    ['See also', 'zines.relation'],
    ['Freedoms and Restrictions', 'zines.rights'],
    ['Subject 1', 'zines.subject'],
    ['Author2', 'zines.creator'],
    ['ISBN-13', 'zines.identifier'],
  ]
  for (const [heading, to] of headings)
    it(`knows the heading "${heading}"`, () => {
      expect(guessProfile([heading], []).rules.map((rule) => rule.to)).to.deep.equal([to])
    })

  /** Where the columns of a program go, by column; those without a rule are left out. */
  const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    Zotero: {
      'Item Type': 'nothing',
      'Publication Year': 'zines.date',
      Author: 'zines.creator',
      Title: 'zines.title',
      'Publication Title': 'zines.source',
      'Abstract Note': 'zines.abstract',
      'Num Pages': 'zines.number_of_pages',
      Notes: 'private',
      'File Attachments': 'private',
      'Manual Tags': 'zines.subject',
    },
    Calibre: {
      authors: 'zines.creator',
      author_sort: 'nothing',
      size: 'nothing',
      comments: 'private',
      series: 'zines.series_title',
      series_index: 'zines.issue_designation',
      title: 'zines.title',
      cover: 'private',
      title_sort: 'nothing',
      pubdate: 'zines.date',
    },
    Inventaire: {
      'Item notes': 'private',
      'Item visibility': 'private',
      'Edition title': 'zines.title',
      'Works labels': 'nothing',
      'Authors labels': 'zines.creator',
      'Authors URLs': 'nothing',
      'Publisher label': 'zines.publisher',
    },
    Goodreads: {
      Title: 'zines.title',
      Author: 'zines.creator',
      'Author l-f': 'nothing',
      'My Review': 'private',
      'Private Notes': 'private',
      'Exclusive Shelf': 'nothing',
      'Owned Copies': 'holdings.copy_count',
    },
    Omeka: {
      'Dublin Core:Title': 'zines.title',
      'Dublin Core:Creator': 'zines.creator',
      tags: 'zines.subject',
      featured: 'private',
    },
    CollectiveAccess: {
      'ca_objects.preferred_labels.name': 'zines.title',
      'ca_objects.type_id': 'nothing',
      'ca_entities.preferred_labels.displayname': 'zines.creator',
      'ca_objects.date.dates_value': 'zines.date',
      'ca_objects.coverage': 'zines.place_of_publication',
      'ca_list_items.preferred_labels.name_plural': 'zines.subject',
      'ca_objects.description': 'zines.abstract',
      'ca_objects.format_text': 'zines.format',
      'ca_objects.language': 'zines.language',
      'ca_objects.rights': 'zines.rights',
    },
  }
  for (const [program, columns] of Object.entries(programs))
    it(`knows the columns of ${program}`, () => {
      const { rules } = guessProfile(Object.keys(columns), [])
      expect(Object.fromEntries(rules.map(({ from, to }) => [from, to]))).to.deep.equal(columns)
    })

  it('asks about columns that say whether something is public, and of which collection it is', () => {
    for (const columns of [
      ['Dublin Core:Title', 'Dublin Core:Creator', 'public'],
      ['ca_objects.preferred_labels', 'ca_entities', 'ca_objects.access'],
    ]) {
      const { rules } = guessProfile(columns, [])
      expect(rules.map(({ from }) => from)).to.deep.equal(columns.slice(0, 2))
    }
  })

  it('cuts labels at commas where there are as many addresses, and else not', () => {
    const columns = ['Authors labels', 'Authors URLs', 'Subjects labels', 'Subjects URLs']
    const row = (...cells: readonly string[]): Record<string, string> =>
      Object.fromEntries([
        ['Edition title', 'Gutter Moss'],
        ['Works labels', 'Gutter, Moss'],
        ...columns.map((name, index) => [name, cells[index] ?? ''] as const),
      ])
    const rows = [
      row('Rowan Quill, Ash Tern', '/a,/b', 'moss, Gödel’s theorem, of 1931', '/c,/d'),
      row('The Nail Collective, Leeds', '/a', 'moss, soup', ''),
    ]
    const profile = propose(rows)
    const mapped = rows.map((cells, index) => mapRow(toRow(cells, index), profile, resources))
    expect(mapped.map(({ names }) => names.map(({ name }) => name))).to.deep.equal([
      ['Rowan Quill', 'Ash Tern'],
      ['The Nail Collective, Leeds'],
    ])
    expect(mapped.map(({ terms }) => terms.map(({ value }) => value))).to.deep.equal([
      ['moss, Gödel’s theorem, of 1931'],
      ['moss', 'soup'],
    ])
  })

  it('has each further author of Goodreads, who stand behind commas', () => {
    const cells = {
      Title: 'Moss',
      'Author l-f': 'Quill, Rowan',
      'Exclusive Shelf': 'read',
      'Additional Authors': 'Ash Tern, Bee Sallow',
    }
    const { names } = mapRow(toRow(cells, 0), propose([cells]), resources)
    expect(names.map(({ name }) => name)).to.deep.equal(['Ash Tern', 'Bee Sallow'])
  })

  it('has a volume and an issue as one designation, and turned titles in their order', () => {
    const { rules } = propose([
      { Title: 'Zine Yearbook, The', Issue: '2', Volume: '3', Review: '<p>Good</p>' },
    ])
    expect(rules).to.deep.equal([
      { from: 'Title', to: 'zines.title', as: 'turned-title' },
      {
        from: 'Volume',
        to: 'zines.issue_designation',
        with: ['Issue'],
        prefix: 'Volume ',
        join: ', issue ',
      },
      { from: 'Issue', to: 'zines.issue_designation', fallback: true },
      { from: 'Review', to: 'zines.abstract', html: true },
    ])
  })

  it('parts the tags at what most cells have', () => {
    const splitOf = (...texts: readonly string[]) =>
      propose(texts.map((Tags) => ({ Title: 'A', Tags }))).rules[1]?.split
    expect(splitOf('a; b', 'a | b', 'punk, DIY; women')).to.equal(';')
    expect(splitOf('a, b', 'c, d', 'e; f')).to.equal(',')
    expect(splitOf('a^^b')).to.equal('^^')
  })

  it('parts the tags of one column at what separates them', () => {
    const splitOf = (Tags: string) => propose([{ Title: 'A', Tags }]).rules[1]?.split
    expect(['a, b', 'a; b, c', 'a'].map(splitOf)).to.deep.equal([',', ';', undefined])
  })
})
