// The datasets elsewhere to which triples of the catalogue link, by the namespaces of their IRIs
// (docs/reference/rdf-formats.md, "Dataset description").

export type LinkTarget = {
  /** As in the fragment of the IRI by which the dataset description names it. */
  readonly name: string
  readonly title: string
  readonly homepage: string
  readonly namespaces: readonly string[]
}

/** The vocabularies of the catalogue itself, to which its records link. */
export const ownVocabularies = (base: string): LinkTarget => ({
  name: 'vocabularies',
  title: 'The vocabularies that the records use',
  homepage: `${base}/api/vocabularies/`,
  namespaces: [`${base}/vocabularies/`, `${base}/geography/`],
})

export const linkTargets: readonly LinkTarget[] = [
  {
    name: 'wikidata',
    title: 'Wikidata',
    homepage: 'https://www.wikidata.org/',
    namespaces: ['http://www.wikidata.org/entity/', 'https://www.wikidata.org/entity/'],
  },
  {
    name: 'viaf',
    title: 'VIAF',
    homepage: 'https://viaf.org/',
    namespaces: ['http://viaf.org/viaf/', 'https://viaf.org/viaf/'],
  },
  {
    name: 'isni',
    title: 'ISNI',
    homepage: 'https://isni.org/',
    namespaces: ['http://isni.org/isni/', 'https://isni.org/isni/', 'http://www.isni.org/isni/'],
  },
  {
    name: 'gnd',
    title: 'GND',
    homepage: 'https://www.dnb.de/gnd',
    namespaces: ['http://d-nb.info/gnd/', 'https://d-nb.info/gnd/'],
  },
  {
    name: 'orcid',
    title: 'ORCID',
    homepage: 'https://orcid.org/',
    namespaces: ['https://orcid.org/', 'http://orcid.org/'],
  },
  {
    name: 'ror',
    title: 'Research Organization Registry',
    homepage: 'https://ror.org/',
    namespaces: ['https://ror.org/'],
  },
  {
    name: 'homosaurus',
    title: 'Homosaurus',
    homepage: 'https://homosaurus.org/',
    namespaces: ['https://homosaurus.org/'],
  },
  {
    name: 'loc',
    title: 'Library of Congress Linked Data Service',
    homepage: 'https://id.loc.gov/',
    // Its ontologies are vocabularies of ours, not what is linked to.
    namespaces: ['http://id.loc.gov/authorities/', 'http://id.loc.gov/vocabulary/'],
  },
  {
    name: 'geonames',
    title: 'GeoNames',
    homepage: 'https://www.geonames.org/',
    namespaces: ['https://sws.geonames.org/', 'http://sws.geonames.org/'],
  },
  {
    name: 'eu-authorities',
    title: 'Authority tables of the Publications Office of the European Union',
    homepage: 'https://op.europa.eu/en/web/eu-vocabularies/authority-tables',
    namespaces: ['http://publications.europa.eu/resource/authority/'],
  },
  {
    name: 'creative-commons',
    title: 'Creative Commons licences',
    homepage: 'https://creativecommons.org/',
    namespaces: ['http://creativecommons.org/', 'https://creativecommons.org/'],
  },
  {
    name: 'rights-statements',
    title: 'RightsStatements.org',
    homepage: 'https://rightsstatements.org/',
    namespaces: ['http://rightsstatements.org/vocab/', 'https://rightsstatements.org/vocab/'],
  },
]
