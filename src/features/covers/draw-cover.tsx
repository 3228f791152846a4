// The drawn cover of a zine as an image of its own. Covers in lists are part of the page
// (features/covers/cover.tsx).

import type { ResolvedRecord } from '../../model/record/views.js'
import { CoverImage } from './cover.js'
import { renderSvg } from '../../views/render.js'

/** The cover as SVG. */
export const drawCover = (record: ResolvedRecord): string =>
  renderSvg(<CoverImage record={record} />)
