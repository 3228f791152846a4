// Where the pages of a zine are on the sheets that are printed, so that they follow each other once
// the sheets are folded. Pages are counted from 1; the last one is the back cover.

export type PlacedPage = { readonly page: number; readonly isUpsideDown: boolean }

/** One side of a sheet: its pages, row by row, from the left. */
export type SheetSide = readonly PlacedPage[]

const upright = (page: number): PlacedPage => ({ page, isUpsideDown: false })

const upsideDown = (page: number): PlacedPage => ({ page, isUpsideDown: true })

/**
 * The one side of a sheet that is folded into eight and cut in the middle. The heads of all pages
 * meet at the fold between the two rows.
 */
export const foldedSheet: SheetSide = [
  ...[5, 4, 3, 2].map(upsideDown),
  ...[6, 7, 8, 1].map(upright),
]

/** How many pages a folded sheet has. */
export const foldedPages = foldedSheet.length

/**
 * The sides of sheets that are stacked, folded once and stapled in the fold: front and back of the
 * outermost sheet first. The back is turned at the short edge of the sheet.
 * @param pages how many there are: a multiple of four
 */
export const stapledSheets = (pages: number): readonly SheetSide[] =>
  Array.from({ length: pages / 4 }, (_, sheet) => 2 * sheet).flatMap((before) => [
    [upright(pages - before), upright(before + 1)],
    [upright(before + 2), upright(pages - before - 1)],
  ])
