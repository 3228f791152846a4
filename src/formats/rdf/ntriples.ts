// The syntax of N-Triples: a line for each triple.

import { writeNQuads } from '../../rdf/terms.js'
import type { RdfSyntax } from './syntax.js'

export const ntriples: RdfSyntax = {
  name: 'ntriples',
  title: 'N-Triples',
  type: 'application/n-triples',
  extension: 'nt',
  open: () => '',
  // A triple is a quad of the default graph, whose name N-Quads leaves out.
  statements: writeNQuads,
  close: () => '',
}
