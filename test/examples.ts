// Valid records for tests to send as they are or with changed fields. Functions that send them are
// in test/http/catalogue.ts.

export const agent = (agent_id: string, more: object = {}) => ({
  agent_id,
  kind: 'Person',
  display_name: `Maker ${agent_id}`,
  public: true,
  ...more,
})

/** A zine by the agent `maker`. */
export const zine = (zine_id: string, more: object = {}) => ({
  zine_id,
  title: `Zine ${zine_id}`,
  creator: ['maker'],
  subject: ['punk'],
  genre: ['perzine'],
  date: ['1994'],
  language: ['en'],
  rights: ['unknown'],
  ...more,
})

export const repository = (repo_id: string, more: object = {}) => ({
  repo_id,
  repository_name: `Library ${repo_id}`,
  repository_kind: 'community-archive',
  country: 'US',
  ...more,
})

/** A copy of the zine `zine` in the repository `library`. */
export const holding = (holding_id: string, more: object = {}) => ({
  holding_id,
  zine_id: 'zine',
  repository_id: 'library',
  ...more,
})

// The same with every field set. Arrays are unsorted, and those that keep duplicates have one, so
// that a test fails when a service sorts them or drops duplicates.

export const fullAgent = (agent_id: string, more: object = {}) => ({
  agent_id,
  kind: 'Collective',
  display_name: 'The Paper Tigers',
  public: true,
  legal_name: 'Paper Tigers Publishing, e.V.',
  alternative_names: ['Tigers', 'Paper T.', 'Tigers'],
  sort_name: 'Paper Tigers, The',
  pronouns: ['they/them', 'she/her'],
  biography: 'Founded in a kitchen.\n\nStill in that kitchen.',
  scope_note: ['Not the band', 'Active in Leeds'],
  roles: ['publisher', 'creator'],
  orcid: 'https://orcid.org/0000-0002-1825-0097',
  wikidata: 'Q42',
  other_identifiers: ['viaf:123', 'isni:000000012146438X'],
  active_dates: ['1994-1999', '2004-'],
  location: ['Leeds', 'Berlin'],
  website: 'https://tigers.example/about?lang=en#us',
  email: 'tigers@paper.example',
  phone: '+44 113 496 0000 ext. 3',
  social_media: ['https://social.example/@tigers', 'https://photos.example/tigers'],
  staff_note: 'Staff only.',
  ...more,
})

/** A zine by the agents `maker` and `helper`, published by `press`. */
export const fullZine = (zine_id: string, more: object = {}) => ({
  zine_id,
  title: 'Doris — “the anti-depression” guide & more',
  series_title: ['Second series', 'First series', 'Second series'],
  issue_designation: 'no. 24, “spring”',
  edition_statement: ['2nd printing', '1st printing'],
  alternative_title: ['Doris XXIV', 'Dorïs'],
  creator: ['maker', 'helper'],
  contributor: ['press', 'helper'],
  subject: ['zine-making', 'feminism', 'mental-health'],
  genre: ['perzine', 'fanzine'],
  content_advice: ['self-harm', 'nudity'],
  content_advice_note: ['Page 12 describes an assault.', 'Naked people on the cover.'],
  abstract: 'Encyclopedia of everything.\nA to Z.',
  table_of_contents: '1. Anger\n2. Bread\n   2.1 Rye\n3. Crows',
  public_notes: ['Signed.', 'Blue cover.', 'Signed.'],
  publisher: ['press'],
  date: ['2007-05', 'circa 2007', 'spring 2007'],
  physical_dimensions: '14 x 11 cm',
  number_of_pages: 'unpaged',
  format: ['quarter-letter', 'digital'],
  binding_features: ['saddle stitched', 'hand-coloured'],
  language: ['es', 'en'],
  place_of_publication: ['Asheville, N.C.', 'Łódź'],
  coverage: ['United States', '1990-2007'],
  source: ['Donated by the author'],
  relation: ['https://zines.example/other', 'Doris no. 23'],
  rights: ['copyleft', 'all-rights-reserved'],
  identifier: ['ISSN 1234-5679', 'urn:isbn:9780451450523'],
  staff_note: 'Staff only.',
  ...more,
})

export const fullRepository = (repo_id: string, more: object = {}) => ({
  repo_id,
  repository_name: 'Zine Library of Łódź',
  repository_kind: 'special-library',
  country: 'PL',
  alternative_names: ['Zinoteka', 'ZLŁ', 'Zinoteka'],
  description: 'Shelves.\nMore shelves.',
  scope_note: 'Central Europe, 1980 on.',
  marc_org_code: 'PL-LoZ',
  isil: 'PL-12345',
  ror: 'https://ror.org/05dxps055',
  city: 'Łódź',
  region: 'Łódź Voivodeship',
  postal_code: '90-001',
  website: 'https://zinoteka.example/',
  email: 'desk@zinoteka.example',
  phone: '+48 42 000 00 00',
  social_media: ['https://social.example/@zinoteka', 'https://photos.example/zinoteka'],
  holdings_count: 1200,
  established: 'c. 1998',
  status: 'inactive',
  contact_note: 'Ask for Zofia on Tuesdays.',
  ...more,
})

/** A copy of the zine `second-zine` in the repository `second-library`. */
export const fullHolding = (holding_id: string, more: object = {}) => ({
  holding_id,
  zine_id: 'second-zine',
  repository_id: 'second-library',
  call_number: 'ZINE D67 no. 24',
  location: 'Room 2, box 14',
  access_status: 'reading-room-only',
  condition: 'Staples rusted.\nCover loose.',
  copy_count: 3,
  barcode: '31234000123456',
  digital_available: true,
  digital_url: 'https://scans.example/doris/24.pdf',
  distro_status: 'ask-permission',
  provenance: 'From the library of the Paper Tigers.',
  notes: ['Gift of the author', 'Copy 2 signed', 'Gift of the author'],
  source: 'Exchange',
  acquired: '2024-05-17',
  accession_number: '2024/117',
  price: '5 GBP',
  donor: 'Dora Donor',
  last_seen: '2026-11-27',
  staff_note: 'Staff only.',
  ...more,
})

/** The same by resource: with the required fields, and with every field. */
export const minimal = {
  zines: zine,
  agents: agent,
  repositories: repository,
  holdings: holding,
} as const

export const full = {
  zines: fullZine,
  agents: fullAgent,
  repositories: fullRepository,
  holdings: fullHolding,
} as const

/** The records that the records above refer to, in an order in which they can be created. */
export const referencedRecords = [
  ...['maker', 'helper', 'press'].map((id) => ['agents', agent(id)] as const),
  ...['zine', 'second-zine'].map((id) => ['zines', zine(id)] as const),
  ...['library', 'second-library'].map((id) => ['repositories', repository(id)] as const),
] as const

/** The smallest PNG image. */
export const pngPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)
