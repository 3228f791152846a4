// Tests which values single fields accept and refuse: codes, references, identifiers of other
// services, URLs, e-mail addresses, numbers and booleans.

import { expect } from 'chai'

import { recordPath, resourceOf, useCatalogue, type Resource } from '../../http/catalogue.js'

type Name = Resource['name']

const AGENT_KINDS = "['Person', 'Collective', 'Organization']"
const STATUSES = "['active', 'inactive', 'defunct']"
const COUNTRY = "Invalid country code. Must be ISO 3166-1 alpha-2 (e.g., 'US')"
const URL_MESSAGE = 'Enter a valid URL.'
const EMAIL = 'Enter a valid email address.'
const TOO_LONG = 'Ensure this field has no more than 500 characters.'
const INTEGER = 'A valid integer is required.'
const BOOLEAN = 'Must be a valid boolean.'
const NEGATIVE = 'Ensure this value is greater than or equal to 0.'

// prettier-ignore
const REFUSED: readonly (readonly [Name, field: string, value: unknown, messages: string[]])[] = [
  ['zines',        'subject',         ['nope'],                  ['Invalid subject codes: nope']],
  ['zines',        'subject',         ['nope', 'punk', 'nada'],  ['Invalid subject codes: nope, nada']],
  ['zines',        'subject',         ['Punk'],                  ['Invalid subject codes: Punk']],
  ['zines',        'subject',         ['constructor'],           ['Invalid subject codes: constructor']],
  ['zines',        'subject',         ['__proto__'],             ['Invalid subject codes: __proto__']],
  ['zines',        'subject',         ['perzine'],               ['Invalid subject codes: perzine']],
  ['zines',        'genre',           ['nope', 'nada'],          ['Invalid genre codes: nope, nada']],
  ['zines',        'format',          ['nope', 'nada'],          ['Invalid format codes: nope, nada']],
  ['zines',        'rights',          ['nope', 'nada'],          ['Invalid rights codes: nope, nada']],
  ['zines',        'language',        ['xx', 'en', 'eng'],       ['Invalid language codes: xx, eng']],
  ['agents',       'roles',           ['nope', 'nada'],          ['Invalid role codes: nope, nada']],
  ['agents',       'kind',            'Band',                    [`Invalid kind: Band. Must be one of ${AGENT_KINDS}`]],
  ['agents',       'kind',            'person',                  [`Invalid kind: person. Must be one of ${AGENT_KINDS}`]],
  ['repositories', 'repository_kind', 'shed',                    ['Invalid repository kind: shed']],
  ['repositories', 'repository_kind', 'Archive',                 ['Invalid repository kind: Archive']],
  ['repositories', 'country',         'XX',                      [COUNTRY]],
  ['repositories', 'country',         'U1',                      [COUNTRY]],
  ['repositories', 'country',         'U',                       [COUNTRY]],
  ['repositories', 'status',          'asleep',                  [`Invalid status: asleep. Must be one of ${STATUSES}`]],
  ['holdings',     'access_status',   'nope',                    ['Invalid access status: nope']],
  ['holdings',     'zine_id',         'no-zine',                 ["Zine 'no-zine' does not exist"]],
  ['holdings',     'zine_id',         `it's`,                    ["Zine 'it's' does not exist"]],
  ['holdings',     'repository_id',   'no-library',              ["Repository 'no-library' does not exist"]],
  ['zines',        'creator',         ['no-one'],                ["Agent 'no-one' does not exist"]],
  ['zines',        'creator',         ['no-one', 'maker', 'me'], ["Agent 'no-one' does not exist", "Agent 'me' does not exist"]],
  ['zines',        'creator',         ['Maker'],                 ["Agent 'Maker' does not exist"]],
  ['zines',        'creator',         ['zine'],                  ["Agent 'zine' does not exist"]],
  ['zines',        'creator',         ['__proto__'],             ["Agent '__proto__' does not exist"]],
  ['zines',        'creator',         ['> } <'],                 ["Agent '> } <' does not exist"]],
  ['zines',        'contributor',     ['no-one', 'me'],          ["Agent 'no-one' does not exist", "Agent 'me' does not exist"]],
  ['zines',        'publisher',       ['no-one'],                ["Agent 'no-one' does not exist"]],
  ['agents',       'social_media',    ['https://a.example/', 'x', 'y'],
                                                                 [`Item 2: ${URL_MESSAGE}`, `Item 3: ${URL_MESSAGE}`]],
  ['zines',        'series_title',    ['x'.repeat(501), null],   [`Item 1: ${TOO_LONG}`, 'Item 2: This field may not be null.']],
  ['zines',        'creator',         ['no-one', null, 'maker'], ["Agent 'no-one' does not exist", 'Item 2: This field may not be null.']],
  ['zines',        'creator',         [null, 'no-one'],          ['Item 1: This field may not be null.', "Agent 'no-one' does not exist"]],
  ['zines',        'subject',         ['', 'nope', 'punk', 'no'],['Item 1: This field may not be blank.', 'Invalid subject codes: nope, no']],
  ['agents',       'social_media',    ['https://a.example/', 'nope', '', 3, 'no'],
                                                                 [`Item 2: ${URL_MESSAGE}`, 'Item 3: This field may not be blank.', `Item 4: ${URL_MESSAGE}`, `Item 5: ${URL_MESSAGE}`]],
  ['agents',       'display_name',    '\u0085\u001f',            ['This field may not be blank.']],
  ['zines',        'creator',         ['maker\0'],               ['Item 1: Null characters are not allowed.']],
  ['holdings',     'zine_id',         'zine\0',                  ['Null characters are not allowed.']],
  ['repositories', 'holdings_count',  '9007199254740993',        ['A valid integer is required.']],
  ['agents',       'wikidata',        `Q${'1'.repeat(50)}`,      ['Ensure this field has no more than 50 characters.']],
  ['agents',       'wikidata',        'é'.repeat(50),            ['Enter a valid Wikidata identifier.']],
  ['repositories', 'social_media',    ['@zines'],                [`Item 1: ${URL_MESSAGE}`]],
  ['holdings',     'copy_count',      -1,                        [NEGATIVE]],
  ['holdings',     'copy_count',      '-1',                      [NEGATIVE]],
  ['repositories', 'holdings_count',  -1,                        [NEGATIVE]],
]

type ValueFormat = {
  readonly name: Name
  readonly field: string
  readonly message: string
  readonly good: readonly string[]
  readonly bad: readonly string[]
}

const VALUE_FORMATS: readonly ValueFormat[] = [
  {
    name: 'agents',
    field: 'wikidata',
    message: 'Enter a valid Wikidata identifier.',
    good: ['Q1', 'Q42', 'Q123456789', `Q${'1'.repeat(49)}`],
    bad: ['42', 'Q', 'q42', 'P42', 'Q4 2', 'Q42x', 'https://www.wikidata.org/wiki/Q42'],
  },
  {
    name: 'agents',
    field: 'orcid',
    message: 'Enter a valid ORCID identifier.',
    good: ['https://orcid.org/0000-0002-1825-0097', 'https://orcid.org/0000-0002-1694-233X'],
    bad: [
      'https://orcid.org/0000-0002-1825-009',
      'https://orcid.org/0000-0002-1825-00977',
      'https://orcid.org/0000000218250097',
      'https://orcid.org/',
      'https://orcid.example/0000-0002-1825-0097',
      '0000-0002-1825-0097',
      'orcid',
    ],
  },
  {
    name: 'repositories',
    field: 'ror',
    message: 'Enter a valid ROR identifier.',
    good: ['https://ror.org/05dxps055', 'https://ror.org/02mhbdp94'],
    bad: ['https://ror.org/', 'https://ror.example/05dxps055', '05dxps055', 'ror'],
  },
  {
    name: 'repositories',
    field: 'isil',
    message: 'Enter a valid ISIL identifier.',
    good: ['US-DLC', 'DE-1', 'GB-UkOxU', 'PL-12345'],
    bad: ['USDLC', 'US-', '-DLC', 'US', 'US DLC'],
  },
  ...(
    [
      ['agents', 'website'],
      ['repositories', 'website'],
      ['holdings', 'digital_url'],
    ] as const
  ).map(([name, field]) => ({
    name,
    field,
    message: URL_MESSAGE,
    good: [
      'http://example.org',
      'https://example.org/',
      'https://sub.example.org:8443/a/b.html?c=d&e=%20#f',
      'http://192.0.2.7/zines/',
      'https://example.org/~zines/(a)/b,c;d',
    ],
    bad: [
      'example.org',
      'www.example.org/zines',
      'http://',
      'https:///zines',
      'https://',
      'http://exa mple.org/',
      'http://example.org/a b',
      '//example.org/',
      'javascript:alert(1)',
      'data:text/html,hello',
      'mailto:zines@example.org',
      'zines',
    ],
  })),
  ...(['agents', 'repositories'] as const).map((name) => ({
    name,
    field: 'email',
    message: EMAIL,
    good: ['a@example.org', 'first.last+zines@mail.example.org', "o'brien@example.org"],
    bad: ['zines', 'zines@', '@example.org', 'a b@example.org', 'a@b@example.org', 'a@example'],
  })),
]

const INTEGERS_REFUSED = ['x', '', '3.5', 3.5, '1e3', 'Infinity', true, [], {}, [3], '0x10']
const TOO_LARGE = [9007199254740994, '9007199254740994', 1e300]
const TRUE = [true, 'true', 'True', 'TRUE', 'yes', 'Yes', 'on', 'ON', 't', 'y', 1, '1']
const FALSE = [false, 'false', 'False', 'FALSE', 'no', 'No', 'off', 'OFF', 'f', 'n', 0, '0']
const BOOLEANS_REFUSED = ['maybe', '2', 2, -1, 0.5, [], {}, [true], 'truetrue']

describe('values:', () => {
  const { service, given, errorsOfPost } = useCatalogue()

  for (const [name, field, value, messages] of REFUSED)
    it(`${field} of ${name} refuses ${JSON.stringify(value)} with 400`, async () => {
      expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({ [field]: messages })
    })

  it('country of repositories refuses USA with 400', async () => {
    expect((await errorsOfPost('repositories', { country: 'USA' })).country).to.include(COUNTRY)
  })

  for (const { name, field, message, good, bad } of VALUE_FORMATS) {
    for (const value of [...good, ''])
      it(`${field} of ${name} accepts ${JSON.stringify(value)}`, async () => {
        const made = await given.record(resourceOf(name), { [field]: value })
        expect(made[field]).to.equal(value)
      })

    for (const value of bad)
      it(`${field} of ${name} refuses ${JSON.stringify(value)} with 400`, async () => {
        expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({ [field]: [message] })
      })
  }

  for (const [name, field] of [
    ['holdings', 'copy_count'],
    ['repositories', 'holdings_count'],
  ] as const) {
    for (const [value, stored] of [
      [3, 3],
      ['3', 3],
      ['007', 7],
      [0, 0],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ] as const)
      it(`${field} stores ${JSON.stringify(value)} as ${stored}`, async () => {
        const made = await given.record(resourceOf(name), { [field]: value })
        expect(made[field]).to.equal(stored)
      })

    for (const value of INTEGERS_REFUSED)
      it(`${field} refuses ${JSON.stringify(value)} with 400 “A valid integer is required.”`, async () => {
        expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({ [field]: [INTEGER] })
      })

    for (const value of TOO_LARGE)
      it(`${field} refuses ${JSON.stringify(value)}, beyond the safe integers of JavaScript, with 400`, async () => {
        expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({ [field]: [INTEGER] })
      })

    it(`${field} refuses 1e999, too large for a double, with 400`, async () => {
      const { minimal } = resourceOf(name)
      const raw = JSON.stringify(minimal(`${field}-big`)).replace(/\}$/, `,"${field}":1e999}`)
      const answer = await service().ask('POST', `/api/${name}/`, { raw })
      expect(answer.status, answer.text).to.equal(400)
    })
  }

  for (const [spellings, stored] of [
    [TRUE, true],
    [FALSE, false],
  ] as const)
    for (const value of spellings) {
      it(`digital_available stores ${JSON.stringify(value)} as ${String(stored)}`, async () => {
        const made = await given.holding({ digital_available: value })
        expect(made.digital_available).to.equal(stored)
      })

      it(`public stores ${JSON.stringify(value)} as ${String(stored)}`, async () => {
        expect((await given.agent({ public: value })).public).to.equal(stored)
      })
    }

  for (const [name, field] of [
    ['holdings', 'digital_available'],
    ['agents', 'public'],
  ] as const)
    for (const value of BOOLEANS_REFUSED)
      it(`${field} refuses ${JSON.stringify(value)} with 400 “Must be a valid boolean.”`, async () => {
        expect(await errorsOfPost(name, { [field]: value })).to.deep.equal({ [field]: [BOOLEAN] })
      })

  // The text of the number, as JSON.parse alone would not give it.
  for (const [number, stored] of [
    ['31786102345678901', '31786102345678901'],
    ['1.50', '1.50'],
    ['-0', '-0'],
    ['1E2', '1E2'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  ] as const) {
    it(`the number ${number} sent for a text is stored as ${stored}`, async () => {
      const { holding_id } = await given.holding()
      const raw = `{"call_number": "a \\" 1.50", "barcode": ${number}}`
      const answer = await service().ask('PATCH', recordPath('holdings', holding_id), { raw })
      expect(answer.body.barcode, answer.text).to.equal(stored)
      expect(answer.body.call_number).to.equal('a " 1.50')
    })

    it(`the number ${number} sent as an item of a list is stored as ${stored}`, async () => {
      const { zine_id } = await given.zine()
      const raw = `{"series_title": ["1", ${number} , "x"]}`
      const answer = await service().ask('PATCH', recordPath('zines', zine_id), { raw })
      expect(answer.body.series_title, answer.text).to.deep.equal(['1', stored, 'x'])
    })
  }

  it('a record whose identifier is sent as a long number is found by its digits', async () => {
    const raw =
      '{"agent_id": 31786102345678901, "kind": "Person", "display_name": 7.0, "public": 1}'
    const answer = await service().ask('POST', '/api/agents/', { raw })
    expect(answer.status, answer.text).to.equal(201)
    const { body } = await service().get('/api/agents/31786102345678901/')
    expect(body).to.include({ agent_id: '31786102345678901', display_name: '7.0', public: true })
  })

  for (const number of ['1e400', '-1e400'])
    it(`the number ${number}, which is not finite, sent for a text answers 400 “Not a valid string.”`, async () => {
      const { holding_id } = await given.holding()
      const raw = `{"barcode": ${number}, "copy_count": 3}`
      const answer = await service().ask('PATCH', recordPath('holdings', holding_id), { raw })
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({ barcode: ['Not a valid string.'] })
    })
})
