// Which field of a zine an agent belongs to, by what a source says that the agent did: a code or a term of the
// MARC relators, or a word that zine libraries use.

import { foldWords, singularOf } from '../../matching/folding.js'

/** `none` is for those who owned, gave or sold the copy. */
export type RelatorField = 'creator' | 'contributor' | 'publisher' | 'none'

/** MARC relator codes with their terms, as of 2024, and further words. */
const relators: Readonly<Record<RelatorField, readonly string[]>> = {
  creator: [
    ...['aut', 'author', 'cre', 'creator', 'art', 'artist', 'cmp', 'composer', 'lyr', 'lyricist'],
    ...['pht', 'photographer', 'lbt', 'librettist', 'ctg', 'cartographer', 'prg', 'programmer'],
    ...['fmk', 'filmmaker', 'dis', 'dissertant', 'joint author', 'added author', 'co author'],
    ...['cartoonist', 'comics artist', 'comic artist', 'comics creator', 'writer', 'poet', 'maker'],
    ...['zine maker', 'zinemaker', 'zinester', 'ziner', 'zine author', 'zine creator'],
    ...['bka', 'book artist', 'co creator', 'joint creator', 'main author', 'primary author'],
  ],
  contributor: [
    ...['ctb', 'contributor', 'edt', 'editor', 'edc', 'editor of compilation', 'ed', 'edited by'],
    ...[
      'edm',
      'editor of moving image work',
      'com',
      'compiler',
      'comp',
      'ill',
      'illustrator',
      'illus',
    ],
    ...[
      'illustrated by',
      'trl',
      'translator',
      'tr',
      'trans',
      'translated by',
      'cov',
      'cover designer',
    ],
    ...['cover artist', 'cover art', 'bkd', 'book designer', 'bjd', 'bookjacket designer', 'dsr'],
    ...[
      'designer',
      'design',
      'layout',
      'layout artist',
      'grt',
      'graphic technician',
      'clr',
      'colorist',
    ],
    ...['ltr', 'letterer', 'cll', 'calligrapher', 'ink', 'inker', 'pnc', 'penciller', 'penciler'],
    ...[
      'aui',
      'author of introduction',
      'author of introduction etc',
      'aft',
      'author of afterword',
    ],
    ...[
      'author of afterword colophon etc',
      'wpr',
      'writer of preface',
      'wfw',
      'writer of foreword',
    ],
    ...[
      'win',
      'writer of introduction',
      'waw',
      'writer of afterword',
      'wac',
      'writer of added commentary',
    ],
    ...['wat', 'writer of added text', 'wst', 'writer of supplementary textual content'],
    ...[
      'wal',
      'writer of added lyrics',
      'cwt',
      'commentator for written text',
      'cmm',
      'commentator',
    ],
    ...['ivr', 'interviewer', 'ive', 'interviewee', 'crp', 'correspondent'],
    ...[
      'letter writer',
      'aud',
      'author of dialog',
      'aqt',
      'author in quotations or text abstracts',
    ],
    ...['ant', 'bibliographic antecedent', 'adp', 'adapter', 'arr', 'arranger', 'abr', 'abridger'],
    ...[
      'ann',
      'annotator',
      'res',
      'researcher',
      'rth',
      'research team head',
      'rtm',
      'rev',
      'reviewer',
    ],
    ...[
      'research team member',
      'pfr',
      'proofreader',
      'crr',
      'corrector',
      'trc',
      'transcriber',
      'cns',
    ],
    ...[
      'censor',
      'ppm',
      'papermaker',
      'bnd',
      'binder',
      'bookbinder',
      'cmt',
      'compositor',
      'typesetter',
    ],
    ...[
      'tyd',
      'type designer',
      'tyg',
      'typographer',
      'prm',
      'printmaker',
      'egr',
      'engraver',
      'etr',
    ],
    ...[
      'etcher',
      'ltg',
      'lithographer',
      'wdc',
      'woodcutter',
      'wde',
      'wood engraver',
      'plt',
      'platemaker',
    ],
    ...[
      'prt',
      'printer',
      'collator',
      'columnist',
      'nrt',
      'narrator',
      'prf',
      'performer',
      'sng',
      'singer',
    ],
    ...[
      'mus',
      'musician',
      'spk',
      'speaker',
      'hst',
      'host',
      'orm',
      'organizer',
      'pdr',
      'project director',
    ],
    ...[
      'cur',
      'curator',
      'ths',
      'thesis advisor',
      'csl',
      'consultant',
      'csp',
      'consultant to a project',
    ],
    ...['oth', 'other', 'asn', 'associated name', 'clb', 'collaborator', 'sec', 'secretary', 'spn'],
    ...[
      'sponsor',
      'fnd',
      'funder',
      'his',
      'host institution',
      'sgd',
      'stage director',
      'drt',
      'director',
    ],
    ...[
      'pro',
      'producer',
      'vdg',
      'videographer',
      'cph',
      'copyright holder',
      'guest editor',
      'staff',
    ],
    ...[
      'managing editor',
      'co editor',
      'contributing artist',
      'contributing author',
      'art director',
    ],
    ...['adi', 'contributing writer', 'additional author', 'secondary author', 'guest'],
    ...['dst', 'distributor', 'distro'],
  ],
  publisher: [
    ...['pbl', 'publisher', 'published by', 'isb', 'issuing body', 'pbd', 'publisher director'],
    ...['publishing director', 'press', 'bkp'],
    ...['book producer', 'pmn', 'production manager', 'imprint', 'copublisher', 'co publisher'],
  ],
  none: [
    ...['dnr', 'donor', 'fmo', 'former owner', 'own', 'owner', 'current owner'],
    ...['col', 'collector', 'cor', 'collection registrar', 'bsl', 'bookseller', 'ins', 'inscriber'],
    ...[
      'dte',
      'dedicatee',
      'dto',
      'dedicator',
      'dpt',
      'depositor',
      'rps',
      'repository',
      'len',
      'lender',
    ],
    ...[
      'sll',
      'seller',
      'ato',
      'autographer',
      'att',
      'attributed name',
      'hnr',
      'honoree',
      'asg',
      'assignee',
    ],
    ...['cataloger', 'cataloguer', 'dep', 'depicted', 'dpc', 'selector', 'slp'],
  ],
}

const fields = new Map(
  Object.entries(relators).flatMap(([field, names]) =>
    names.map((name) => [normalize(name), field as RelatorField] as const),
  ),
)

/**
 * The field for a relator: `ill.`, `Editor`, `pbl`, `http://id.loc.gov/vocabulary/relators/aut`. Of several in one
 * text, such as `author, illustrator`, the first that is known counts; a creator before all others.
 * @returns undefined for a word that is not known
 */
export function relatorField(relator: string): RelatorField | undefined {
  const text = relator.replace(/^.*\/relators\//, '')
  const whole = fields.get(normalize(text))
  if (whole) return whole
  const found = text.split(/[,;/&+]|\band\b/i).flatMap((part) => fields.get(normalize(part)) ?? [])
  return found.includes('creator') ? 'creator' : found[0]
}

function normalize(text: string): string {
  return foldWords(text).map(singularOf).join(' ')
}
