// Renders components as the text of an HTML document, or of an SVG file.

import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

import { english } from '../messages/translator.js'
import { notInXml } from '../rdf/xml.js'
import { renderWith } from './translate.js'

/** @param translator gives the texts of the page in its language */
export const renderPage = (page: VNode, translator = english): string =>
  `<!doctype html>${renderPart(page, translator)}`

/** A part of a page. */
export const renderPart = (part: VNode, translator = english): string =>
  renderWith(translator, () => renderToString(part))

/** A document of its own: XML allows less in texts than HTML, for which Preact escapes. */
export const renderSvg = (image: VNode): string =>
  renderWith(english, () => renderToString(image))
    .replace(notInXml, '')
    .replaceAll(']]>', ']]&gt;')
