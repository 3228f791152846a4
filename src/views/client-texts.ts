// The texts of client/*.ts. A page in another language than English has them for its scripts, in an
// attribute of its body.

import { message } from '../message.js'

export const clientTexts: readonly string[] = [
  message('Zine'),
  message('Maker'),
  message('Library'),
  message('Subject'),
  message('Genre'),
  message('Suggestions'),
  message('{count} suggestion'),
  message('{count} suggestions'),
  message('Copy'),
  message('Copy {what}'),
  message('Copied'),
  message('Select the text and copy it'),
  message('From year, in the chart'),
  message('To year, in the chart'),
  message('Choices for {label}'),
  message('Sort, filter or draw the result'),
  message('Rows on a page'),
  message('Row'),
  message('Stop'),
  message('Run the query'),
  message('Chart'),
  message('The first {shown} of {all} bars.'),
]
