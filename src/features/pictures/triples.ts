// What RDF says of the pictures of a record that everybody may see (docs/reference/data-model.md,
// "Pictures"). The triples are made when a record is serialized. They are not in the store.

import type { Iris } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { dcterms, rdf, schema } from '../../rdf/namespaces.js'
import { type NamedNode, type Quad, integer, iri, stringLiteral, triple } from '../../rdf/terms.js'
import { largestPath, manifestPath, sizeFor, sizePath } from './addresses.js'
import { type Picture, publicCover } from './picture.js'
import type { Pictures } from './pictures.js'

export type ImageTriples = (reference: Reference) => readonly Quad[]

type ImageTriplesDependencies = {
  readonly iris: Iris
  readonly pictures: Pick<Pictures, 'list'>
  readonly rights: Vocabulary
}

/** @returns the function that makes the triples of a record's pictures */
export function createImageTriples({
  iris,
  pictures,
  rights,
}: ImageTriplesDependencies): ImageTriples {
  const at = (path: string): NamedNode => iri(iris.base + path)

  function describe(thing: NamedNode, picture: Picture): readonly Quad[] {
    const { alt, credit, elsewhere, rights: code } = picture
    const image = elsewhere ? iri(elsewhere.url) : at(largestPath(picture))
    if (elsewhere?.type === 'manifest') return [triple(thing, dcterms('isReferencedBy'), image)]
    const [size] = picture.sizes
    const small = sizeFor(picture, 200)
    return [
      triple(thing, schema('image'), image),
      triple(image, rdf('type'), schema('ImageObject')),
      ...(alt === '' ? [] : [triple(image, schema('description'), stringLiteral(alt))]),
      ...(credit === '' ? [] : [triple(image, schema('creditText'), stringLiteral(credit))]),
      ...(code === '' ? [] : [triple(image, dcterms('rights'), rights.concept(code))]),
      ...(size
        ? [
            triple(image, schema('encodingFormat'), stringLiteral('image/jpeg')),
            triple(image, schema('width'), integer(size.width)),
            triple(image, schema('height'), integer(size.height)),
          ]
        : []),
      ...(small ? [triple(image, schema('thumbnailUrl'), at(sizePath(picture, small)))] : []),
    ]
  }

  return (reference) => {
    const shown = pictures.list(reference).filter((picture) => picture.public)
    const thing = iris.thing(reference.target, reference.id)
    return [
      ...shown.flatMap((picture) => describe(thing, picture)),
      ...(publicCover(shown)
        ? [triple(thing, dcterms('isReferencedBy'), at(manifestPath(reference)))]
        : []),
    ]
  }
}
