// The description of the catalogue as a dataset, at its own IRI: `{base}/dataset`.

import { Writer } from 'n3'

import type { Catalogue } from '../catalogue/catalogue.js'
import type { Format } from '../formats/press.js'
import type { Addresses } from '../model/addresses.js'
import { dcatNamespace, describeDataset } from '../model/dataset.js'
import type { Resources } from '../model/facts.js'
import { prefixes } from '../rdf/namespaces.js'
import { type Quad, writeNQuads } from '../rdf/terms.js'
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

const formats: readonly Format[] = [
  { name: 'turtle', type: 'text/turtle' },
  { name: 'ntriples', type: 'application/n-triples' },
]

export const datasetEndpoint = (parts: Parts): Endpoint => ({
  path: '/dataset',
  name: 'Dataset',
  description: 'What the catalogue holds and where to get it, in VoID and DCAT.',
  formats,
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
      send(ctx, ctx.state.format.name === 'turtle' ? writeTurtle(quads) : writeNQuads(quads))
    },
  },
})

function writeTurtle(quads: readonly Quad[]): string {
  const { rdf, xsd, dcterms, foaf } = prefixes
  const used = { rdf, xsd, dcterms, foaf, void: prefixes.void, dcat: dcatNamespace }
  let turtle = ''
  const writer = new Writer({ prefixes: used })
  writer.addQuads([...quads])
  writer.end((_error, written: string) => (turtle = written))
  return turtle
}
