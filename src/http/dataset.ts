// The description of the catalogue as a dataset, at its own IRI: `{base}/dataset`.

import type { Catalogue } from '../catalogue/catalogue.js'
import { rdfFormats, writeIn } from '../formats/rdf.js'
import type { Addresses } from '../model/addresses.js'
import { dcatNamespace, describeDataset } from '../model/dataset.js'
import type { Resources } from '../model/facts.js'
import { prefixesUnder } from '../rdf/namespaces.js'
import { send } from './conditional.js'
import type { Endpoint } from './endpoint.js'
import type { About } from './openapi.js'

type Parts = {
  readonly about: About
  readonly addresses: Addresses
  readonly catalogue: Catalogue
  readonly license: string
  readonly resources: Resources
}

export const datasetEndpoint = (parts: Parts): Endpoint => ({
  path: '/dataset',
  name: 'Dataset',
  description: 'What the catalogue holds and where to get it, in VoID and DCAT.',
  formats: rdfFormats,
  methods: {
    async GET(ctx) {
      const { about, addresses, catalogue, license, resources } = parts
      const facts = {
        title: 'Zine Catalogue',
        description: `${about.description}.`,
        license,
        ...(await catalogue.survey()),
      }
      const quads = describeDataset(facts, resources, addresses)
      const { base } = addresses
      const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace }
      send(ctx, writeIn(ctx.state.format, quads, { base, prefixes }))
    },
  },
})
