// Renders components as the text of an HTML document, or of an SVG file.

import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

import { notInXml } from '../rdf/xml.js'

export const renderPage = (page: VNode): string => `<!doctype html>${renderToString(page)}`

/** A document of its own: XML allows less in texts than HTML, for which Preact escapes. */
export const renderSvg = (image: VNode): string =>
  renderToString(image).replace(notInXml, '').replaceAll(']]>', ']]&gt;')
