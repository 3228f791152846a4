// The schema of the citations of a record.

import { citationStyles } from './styles.js'
import { citationFormats } from './cited-record.js'
import type { Schema } from '../../http/schemas.js'

const texts: Readonly<Record<string, Schema>> = Object.fromEntries([
  ...citationStyles.map(({ name, title }): [string, Schema] => [
    name,
    { type: 'string', description: `The citation in the style of ${title}, as plain text.` },
  ]),
  ...citationFormats.map((name): [string, Schema] => [
    name,
    { type: 'string', description: `The same as the record with \`?format=${name}\`.` },
  ]),
])

export const citationSchemas: Readonly<Record<string, Schema>> = {
  Citations: {
    type: 'object',
    description: 'How to cite a record.',
    properties: {
      permanent_address: {
        type: 'string',
        format: 'uri',
        description: 'The IRI of what is cited. It stays when the record is renamed or merged.',
      },
      ...texts,
    },
    required: ['permanent_address', ...Object.keys(texts)],
  },
}
