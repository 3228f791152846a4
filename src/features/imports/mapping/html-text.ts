// Makes text of the HTML that reference managers keep notes and titles in.

import { cleanText } from './text.js'

const tags =
  /<\/?(?:p|br|div|span|i|b|u|em|strong|sub|sup|ul|ol|li|a|h[1-6]|blockquote)(?:\s[^<>]*)?\/?>/gi

/** Elements whose ends are ends of lines. */
const lineEnds = /<br\s*\/?>|<\/(?:p|div|li|h[1-6]|blockquote)>/gi

export const hasHtml = (text: string): boolean => text.search(tags) >= 0

export const htmlToText = (text: string): string =>
  cleanText(text.replace(lineEnds, '\n').replace(tags, '')).replace(/\n{3,}/g, '\n\n')
