// The formats that responses without records have too: JSON, HTML pages and YAML. The formats of
// records are listed in serializers.ts.

import type { Format } from './serializer.js'

export const json: Format = { name: 'json', type: 'application/json' }

export const html: Format = { name: 'html', type: 'text/html' }

export const yaml: Format = { name: 'yaml', type: 'application/yaml' }

/** Drawings. */
export const svg: Format = { name: 'svg', type: 'image/svg+xml' }

/** Suggestions as browsers ask for them (OpenSearch Suggestions 1.1). */
export const openSearch: Format = { name: 'opensearch', type: 'application/x-suggestions+json' }
