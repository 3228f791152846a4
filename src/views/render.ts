// Renders a page's components as the text of an HTML document.

import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

export const renderPage = (page: VNode): string => `<!doctype html>${renderToString(page)}`
