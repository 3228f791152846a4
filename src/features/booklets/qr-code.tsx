// A QR code as SVG, with its quiet zone. It is as wide as its box.

import encodeQR from 'qr'

/** The width of the space around the code, in modules (ISO/IEC 18004, 6.3.8). */
const quietZone = 4

/** A longer text makes a code whose modules are too small for cameras. */
const maxLength = 500

/**
 * The code of a text; nothing for one that is too long.
 * @param label what it leads to, for those who do not see it
 */
export const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  if (text.length > maxLength) return null
  const rows = encodeQR(text, 'raw', { border: quietZone, ecc: 'medium' })
  const modules = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={modules.join('')} />
    </svg>
  )
}
