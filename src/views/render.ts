// Renders a page's components as the text of an HTML document, or of an image.

import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

import { notInXml } from '../rdf/xml.js'

/** An image in SVG, as a document of its own: XML allows less in texts than HTML, for which Preact escapes. */
export const renderImage = (image: VNode): string =>
  renderToString(image).replace(notInXml, '').replaceAll(']]>', ']]&gt;')

export const renderPage = (page: VNode): string => `<!doctype html>${renderToString(page)}`
