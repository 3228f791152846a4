// What Oxigraph writes as XML, made into XML.

import { notInXml } from '../rdf/xml.js'
import { QueryError } from './errors.js'

/**
 * XML that can be read as such. Oxigraph writes characters that XML 1.0 (2.2) has no way to say, which
 * are left out, and properties that are no element's name, which cannot be.
 * @throws QueryRefused
 */
export function toValidXml(answered: string): string {
  if (/<oxprefix:[\s/>]/.test(answered))
    throw new QueryError(
      'RDF/XML cannot say a property whose IRI does not end in a name; ask for another format.',
    )
  // A reader of XML would make a line feed of a carriage return that is written as it is.
  return answered.replace(notInXml, '').replaceAll('\r', '&#xD;')
}
