// Corrects the XML that Oxigraph writes.

import { InvalidError } from '../../errors.js'
import { notInXml } from '../../rdf/xml.js'

/**
 * Well-formed XML. Oxigraph writes characters that XML 1.0 (2.2) does not allow; they are removed.
 * It also writes properties whose IRI does not end in an element name; they cannot be corrected.
 * @throws InvalidError
 */
export function toValidXml(text: string): string {
  if (/<oxprefix:[\s/>]/.test(text))
    throw new InvalidError(
      'RDF/XML cannot express a property whose IRI does not end in a name; ask for another format.',
    )
  // An XML parser turns a literal carriage return into a line feed.
  return text.replace(notInXml, '').replaceAll('\r', '&#xD;')
}
