// Renders components as the text of an HTML document, or of an SVG file.

import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

export const renderPage = (page: VNode): string => `<!doctype html>${renderToString(page)}`

export const renderSvg = (drawing: VNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${renderToString(drawing)}\n`
