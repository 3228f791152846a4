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
  message('{code} is not on this page.'),
  message('{code}: found. Ticked: {count} of {all}. Missing: {missing}.'),
  message('This browser cannot read barcodes with the camera. Type them instead.'),
  message('The camera cannot be used. Type the barcodes instead.'),
  message('You were signed out. Sign in and open this page again: nothing is lost.'),
  message('Kept on this device: {count}. They are sent when the network is back.'),
]
