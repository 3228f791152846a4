// The page with the sheets of a zine to print. The order of its pages on the sheets is left to
// imposition.ts, and the measures to views/assets/booklet.css.

import type { ComponentChildren } from 'preact'

import { librariesOf } from '../../model/libraries.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { ScrollRegion } from '../../views/components/data-table.js'
import { libraryWithCallNumber, makersAndDates } from '../../views/components/record-lines.js'
import { languageOf, titleWithIssue } from '../../views/components/record-summary.js'
import { LabelledSelect } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { bookletPath } from '../../views/links.js'
import { message, numberText, plural, recordCount, t } from '../../views/translate.js'
import { type Covers, PlainCover } from '../covers/cover.js'
import { type SheetSide, foldedPages, foldedSheet, stapledSheets } from './imposition.js'
import { QrCode } from './qr-code.js'

/** The most records that a zine has. */
export const maxRecords = 60

/** How the sheets are made a zine. */
export const sheetKinds = [
  {
    name: 'fold',
    title: message('One sheet to fold and cut'),
    /** So many records are on a page at most. */
    perPage: 4,
    steps: [
      message('Print the sheet on one side, in its full size (100 %), without margins.'),
      message('Fold it into eight and open it again.'),
      message('Fold it in half, short side to short side. Cut from the fold to the middle.'),
      message(
        'Open it and fold it in half lengthwise. Push the ends together until the pages part.',
      ),
      message('Fold the pages around, with the cover in front.'),
    ],
  },
  {
    name: 'booklet',
    title: message('Booklet to staple'),
    perPage: 4,
    steps: [
      message(
        'Print the sheets on both sides, in their full size (100 %), without margins. Choose to flip on the short edge.',
      ),
      message('Stack the sheets with the cover outside, and fold them in half.'),
      message('Staple them in the fold.'),
    ],
  },
] as const

type SheetKind = (typeof sheetKinds)[number]

export const paperSizes = [
  { name: 'a4', title: 'A4' },
  { name: 'letter', title: message('Letter') },
] as const

type BookletProps = {
  readonly context: PageContext
  readonly resources: Resources
  readonly title: string
  readonly path: string
  readonly records: readonly ResolvedRecord[]
  readonly count: number
  readonly covers: Covers
  readonly sheet: SheetKind
  readonly paper: (typeof paperSizes)[number]
}

export const BookletPage = (props: BookletProps) => {
  const { context, title, path, records, count, sheet, paper } = props
  const heading = t('A zine to print: {title}', { title })
  const { pages, shown, sides } = contentsOf(props)
  return (
    <Layout context={context} title={heading} styles={['booklet.css']} wide>
      <div class="no-print">
        <h1 dir="auto">{heading}</h1>
        <p class="lead">
          {t(
            'Print these zines as a zine: with covers, where to read each, and a code that leads back to the list.',
          )}{' '}
          <a href={path}>{t('Back to the list')}</a>
        </p>
        <Choices {...props} />
        {shown < count && (
          <p class="notice">
            {t('It has the first {shown} of {all} zines.', {
              shown: numberText(shown),
              all: numberText(count),
            })}{' '}
            {shown < records.length && t('A booklet has room for more.')}
          </p>
        )}
        <ol class="folding-steps">
          {sheet.steps.map((step) => (
            <li key={step}>{t(step)}</li>
          ))}
        </ol>
      </div>
      {records.length === 0 ? (
        <p class="none">{t('No zines match these filters.')}</p>
      ) : (
        <ScrollRegion class="scroll sheets" label={t('Sheets')}>
          {sides.map((side, index) => (
            <Sheet
              key={index}
              side={side}
              pages={pages}
              name={`${sheet.name} ${paper.name}`}
              number={index + 1}
            />
          ))}
        </ScrollRegion>
      )}
    </Layout>
  )
}

const Choices = ({ context, sheet, paper }: BookletProps) => {
  const others = [...new URLSearchParams(context.query)].filter(
    ([name]) => !['sheet', 'paper', 'lang'].includes(name),
  )
  const optionsOf = (choices: readonly { readonly name: string; readonly title: string }[]) =>
    choices.map(({ name, title }) => [name, t(title)] as const)
  return (
    <Form method="get" action={context.path || bookletPath} class="controls">
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <LabelledSelect
        label={t('Kind of zine')}
        name="sheet"
        value={sheet.name}
        options={optionsOf(sheetKinds)}
      />
      <LabelledSelect
        label={t('Paper')}
        name="paper"
        value={paper.name}
        options={optionsOf(paperSizes)}
      />
      <button class="quiet">{t('Show')}</button>
    </Form>
  )
}

/** The pages in their order, how many records they have, and the sides that are printed. */
function contentsOf(props: BookletProps) {
  const { records, sheet } = props
  const isFolded = sheet.name === 'fold'
  const inner = foldedPages - 2
  const shown = records.slice(0, isFolded ? inner * sheet.perPage : maxRecords)
  const perPage = isFolded ? Math.max(1, Math.ceil(shown.length / inner)) : sheet.perPage
  const filled = Array.from({ length: Math.ceil(shown.length / perPage) }, (_, index) => (
    <Records
      {...props}
      records={shown.slice(index * perPage, (index + 1) * perPage)}
      perPage={perPage}
    />
  ))
  const count = isFolded ? foldedPages : 4 * Math.ceil((filled.length + 2) / 4)
  const empty = Array.from({ length: count - filled.length - 2 }, () => <NotesPage />)
  return {
    shown: shown.length,
    pages: [<FrontCover {...props} />, ...filled, ...empty, <BackCover {...props} />],
    sides: isFolded ? [foldedSheet] : stapledSheets(count),
  }
}

type SheetProps = {
  readonly side: SheetSide
  readonly pages: readonly ComponentChildren[]
  readonly name: string
  readonly number: number
}

const Sheet = ({ side, pages, name, number }: SheetProps) => (
  <section class={`sheet ${name}`} aria-label={t('Sheet {number}', { number })}>
    {side.map(({ page, isUpsideDown }) => (
      <section
        key={page}
        class={isUpsideDown ? 'sheet-page upside-down' : 'sheet-page'}
        aria-label={t('Page {number} of {pages}', { number: page, pages: pages.length })}
      >
        {pages[page - 1]}
        {page > 1 && page < pages.length && <span class="folio">{page}</span>}
      </section>
    ))}
  </section>
)

const FrontCover = ({ context, title, records, resources, covers }: BookletProps) => (
  <div class="front-cover">
    <p class="booklet-title" dir="auto">
      {title}
    </p>
    <div class="cover-row">
      {records.slice(0, maxOnCover).map((record, index) => (
        <PlainCover key={index} {...{ record, resources, covers }} />
      ))}
    </div>
    <p dir="auto">{context.siteName}</p>
  </div>
)

const maxOnCover = 4

const BackCover = ({ context, title, path }: BookletProps) => {
  const address = `${context.origin}${path}`
  return (
    <div class="back-cover">
      <QrCode text={address} label={t('Code for a camera: {address}', { address })} />
      <p>{t('This list with all that is known of each zine:')}</p>
      <p class="address" dir="ltr">
        {address}
      </p>
      <p dir="auto">
        {title} · {context.siteName}
      </p>
    </div>
  )
}

/** A page that is left over. */
const NotesPage = () => <p class="notes-page">{t('Notes')}</p>

const Records = ({
  records,
  resources,
  covers,
  perPage,
}: Pick<BookletProps, 'records' | 'resources' | 'covers'> & { readonly perPage: number }) => (
  <ul class={`printed-records of-${perPage}`}>
    {records.map((record) => (
      <li key={textValue(record.values, record.resource.id.name)}>
        <PlainCover {...{ record, resources, covers }} />
        <div>
          <h2 dir="auto" lang={languageOf(record)}>
            {titleWithIssue(record, resources)}
          </h2>
          <p class="made" dir="auto">
            {makersAndDates(record, resources)}
          </p>
          <p class="where" dir="auto">
            {whereToRead(record)}
          </p>
        </div>
      </li>
    ))}
  </ul>
)

/** The libraries with their call numbers, or that there is none; nothing for other records. */
function whereToRead({ resource, holdings }: ResolvedRecord): string {
  if (resource.name !== 'zines' || !holdings) return ''
  const libraries = librariesOf(holdings)
  const isDigital = holdings.some(({ values }) => values.digital_available === true)
  const digital = isDigital ? [t('Available digitally')] : []
  if (libraries.length === 0) return [t('No library copy'), ...digital].join(' · ')
  const names = libraries.slice(0, maxLibraries).map(libraryWithCallNumber)
  const more = libraries.length - names.length
  return [
    plural(libraries.length, 'Library: {names}', 'Libraries: {names}', {
      names: [...names, ...(more > 0 ? [recordCount('repositories', more)] : [])].join(', '),
    }),
    ...digital,
  ].join(' · ')
}

const maxLibraries = 3
