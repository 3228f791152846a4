// The textures of drawn covers: what a photocopier and scissors leave on paper. Each is drawn from
// fixed numbers, so it is the same wherever it is drawn.

import type { VNode } from 'preact'

export const coverWidth = 200
export const coverHeight = 280

const ink = '#17140f'

/** Numbers between 0 and 1 that look random and are the same for the same start. */
export function createNumbers(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const rounded = (value: number): number => Math.round(value)

/** Specks of toner, most of them towards the right edge. */
function toner(): VNode {
  const next = createNumbers(7)
  const specks = Array.from({ length: 170 }, () => {
    const x = rounded(coverWidth * (1 - next() ** 1.8))
    return `M${x} ${rounded(next() * coverHeight)}h${1 + rounded(next() * 1.4)}v${1 + rounded(next())}h-1z`
  })
  return (
    <>
      <path d={specks.join('')} fill={ink} opacity="0.7" />
      <path d="M0 0h7l-2 60 3 70-4 80 2 70H0z" fill={ink} />
    </>
  )
}

/** Stripes of dirty rollers. */
function rollers(): VNode {
  const next = createNumbers(12)
  return (
    <g stroke={ink}>
      {Array.from({ length: 16 }, (_, index) => (
        <path
          key={index}
          d={`M${rounded(next() * coverWidth)} 0v${coverHeight}`}
          stroke-width={1 + rounded(next() * next() * 14)}
          opacity={(0.06 + next() * 0.3).toFixed(2)}
        />
      ))}
    </g>
  )
}

/** Dots of a screen, larger towards the bottom. */
const halftone = (): VNode => (
  <g stroke={ink} stroke-linecap="round" stroke-dasharray="0 10">
    {Array.from({ length: 22 }, (_, index) => (
      <path
        key={index}
        d={`M${index % 2 === 0 ? 0 : 5} ${70 + index * 10}h${coverWidth}`}
        stroke-width={(0.5 + index * 0.5).toFixed(1)}
      />
    ))}
  </g>
)

/** A torn sheet over a black one. */
function torn(): VNode {
  const next = createNumbers(3)
  const edge = Array.from(
    { length: 41 },
    (_, index) => `${index * 5} ${rounded(188 + next() * 14 + index * 0.6)}`,
  )
  return (
    <>
      <path d={`M0 280V${edge.join('L').slice(2)}V280z`} fill={ink} />
      <path d={`M${edge.join('L')}`} fill="none" stroke="#fff" stroke-width="5" />
    </>
  )
}

/** Graph paper, copied a little askew. */
const graph = (): VNode => (
  <g stroke={ink} opacity="0.35" transform="rotate(-2 100 140)">
    <path d="M-10 140h220" stroke-width="320" stroke-dasharray="1 9" />
    <path d="M100 -20v320" stroke-width="240" stroke-dasharray="1 9" />
  </g>
)

/** Folds of a sheet that was crumpled. */
function folds(): VNode {
  const next = createNumbers(29)
  const lines = Array.from({ length: 18 }, () => {
    const points = Array.from(
      { length: 3 },
      () => `${rounded(next() * 240 - 20)} ${rounded(next() * 320 - 20)}`,
    )
    return `M${points.join('L')}`
  })
  const d = lines.join('')
  return (
    <g fill="none">
      <path d={d} stroke={ink} stroke-width="1.5" opacity="0.4" />
      <path d={d} stroke="#fff" stroke-width="2" transform="translate(2 1)" opacity="0.8" />
    </g>
  )
}

/** Bold hatching in two corners. */
const hatching = (): VNode => (
  <g stroke={ink}>
    <path d="M-60 60L110 -110" stroke-width="150" stroke-dasharray="5 5" opacity="0.8" />
    <path d="M80 400L320 160" stroke-width="190" stroke-dasharray="7 6" />
  </g>
)

/** Rays from a corner. */
const rays = (): VNode => (
  <path
    d={Array.from({ length: 14 }, (_, index) => {
      const at = (angle: number): string =>
        `${rounded(400 * Math.sin(angle))} ${rounded(280 - 400 * Math.cos(angle))}`
      const angle = (index * Math.PI) / 28
      return `M0 280L${at(angle)}L${at(angle + Math.PI / 56)}z`
    }).join('')}
    fill={ink}
    opacity="0.85"
  />
)

/** Chequers above and below. */
const chequers = (): VNode => (
  <g stroke={ink} stroke-width="10" stroke-dasharray="10">
    <path d="M0 5h200M0 25h200M0 265h200M0 245h200" />
    <path d="M10 15h200M10 275h200M10 255h200M-10 235h220" />
  </g>
)

/** What a felt pen did. */
function scribble(): VNode {
  const next = createNumbers(41)
  const loops = Array.from({ length: 26 }, (_, index) => {
    const x = 20 + rounded(next() * 160)
    return `S${rounded(next() * 220 - 10)} ${150 + index * 4 + rounded(next() * 50)} ${x} ${150 + index * 5}`
  })
  return (
    <path
      d={`M20 150C60 120 90 190 110 150${loops.join('')}`}
      fill="none"
      stroke={ink}
      stroke-width="2.5"
    />
  )
}

export const coverTextures: readonly VNode[] = [
  toner(),
  rollers(),
  halftone(),
  torn(),
  graph(),
  folds(),
  hatching(),
  rays(),
  chequers(),
  scribble(),
]

/** Colours of paper that copy shops have. */
export const coverPapers = ['#fffdf8', '#efe9da', '#ffe45c', '#ffb3c7', '#a9d8ff', '#b5e6b0']
