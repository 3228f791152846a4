// A barcode as SVG: Code 128 with its quiet zones. It is as wide and high as its box.

import { encodeCode128 } from './code-128.js'
import { t } from '../../views/translate.js'

/** The width of the space that has to be left and right of the bars, in modules. */
const quietZone = 10

/** The barcode of a text; nothing for a text that Code 128 does not have. */
export const Barcode = ({ text }: { readonly text: string }) => {
  const widths = encodeCode128(text)
  if (!widths) return null
  const total = widths.reduce((sum, width) => sum + width, 2 * quietZone)
  return (
    <svg
      class="barcode"
      viewBox={`0 0 ${total} 1`}
      preserveAspectRatio="none"
      shape-rendering="crispEdges"
      role="img"
      aria-label={t('Barcode {text}', { text })}
    >
      <path d={barsOf(widths)} />
    </svg>
  )
}

function barsOf(widths: readonly number[]): string {
  let at = quietZone
  const bars: string[] = []
  widths.forEach((width, index) => {
    if (index % 2 === 0) bars.push(`M${at} 0h${width}v1h-${width}z`)
    at += width
  })
  return bars.join('')
}
