// The vocabularies that come with the service: their labels tell their terms apart.

import { expect } from 'chai'
import { DataFactory } from 'n3'

import { createTermMatcher, termListOf } from '../../src/model/term-lists.js'
import {
  geographyNames,
  readModelFiles,
  vocabularyNames,
} from '../../src/model/declarations/read-files.js'
import { readVocabularyLinks } from '../../src/model/declarations/vocabulary-links.js'
import { findSharedLabels } from '../../src/model/declarations/local-terms.js'
import { altLabelsOf, buildVocabulary, mergeLocalTerms } from '../../src/model/vocabulary.js'
import { skos } from '../../src/rdf/namespaces.js'
import { type Quad, iri, triple } from '../../src/rdf/terms.js'
import { createIris } from '../../src/model/iris.js'

describe('the vocabularies of the service', () => {
  let files: Awaited<ReturnType<typeof readModelFiles>>

  before(async () => {
    files = await readModelFiles('.', '', createIris('http://localhost'))
  })

  for (const name of [...vocabularyNames, ...geographyNames])
    it(`lead from each code and label of ${name} to its own term`, () => {
      const list = termListOf(files.named[name])
      const matcher = createTermMatcher(list)
      const strays = list.terms.flatMap(({ code, label, altLabels }) =>
        [code, label, ...altLabels].filter((text) => {
          const match = matcher.match(text)
          return match.kind !== 'exact' || match.code !== code
        }),
      )
      expect(strays).to.deep.equal([])
    })

  it('repeat no label as an alternative label', () => {
    const repeated = vocabularyNames.flatMap((name) =>
      files.named[name].entries.flatMap(({ code, label }) => {
        const labels = [label, ...altLabelsOf(files.named[name], code)]
        return new Set(labels).size < labels.length ? [`${name} ${code}`] : []
      }),
    )
    expect(repeated).to.deep.equal([])
  })

  it('link most subjects, each heading to no more than one term that means the same', () => {
    const linked = (name: 'subjects' | 'genres', property: string) =>
      files.named[name].entries.flatMap(({ code }) =>
        files.named[name]
          .statements(code)
          .filter(({ predicate }) => predicate.value.endsWith(property))
          .map(({ object }) => ({ code, iri: object.value })),
      )
    const links = [...linked('subjects', '#exactMatch'), ...linked('subjects', '#closeMatch')]
    expect(new Set(links.map(({ code }) => code)).size).to.be.above(
      files.named.subjects.entries.length * 0.8,
    )
    const exact = [...linked('subjects', '#exactMatch'), ...linked('genres', '#exactMatch')]
    expect(new Set(exact.map(({ iri }) => iri)).size).to.equal(exact.length)
    expect(files.named.subjects.headings('coming-out').map(({ text }) => text)).to.deep.equal([
      'Coming out',
      'Coming out (Sexual orientation)',
    ])
  })

  it('have a Spanish and a French label for each subject and genre, and none twice', () => {
    for (const vocabulary of [files.named.subjects, files.named.genres])
      for (const language of ['es', 'fr']) {
        const labels = vocabulary.entries.flatMap(({ code }) =>
          vocabulary
            .statements(code)
            .filter(
              ({ predicate, object }) =>
                predicate.equals(skos('prefLabel')) &&
                object.termType === 'Literal' &&
                object.language === language,
            )
            .map(({ object }) => object.value.toLowerCase()),
        )
        expect(labels, language).to.have.length(vocabulary.entries.length)
        expect(new Set(labels).size, language).to.equal(labels.length)
      }
  })

  it('show an own label of an institution in place of those of the service', () => {
    const { subjects } = files.named
    const labelled = (text: string, language: string) =>
      triple(subjects.concept('dogs'), skos('prefLabel'), DataFactory.literal(text, language))
    const labelsWith = (...local: Quad[]) =>
      mergeLocalTerms(subjects.scheme.value, subjects.statements('dogs'), local)
        .filter(({ predicate }) => predicate.equals(skos('prefLabel')))
        .map(({ object }) => object.value)
    expect(labelsWith(labelled('Canes', 'es'))).to.have.members(['Dogs', 'Canes', 'Chiens'])
    expect(labelsWith(labelled('Hounds', 'en'))).to.deep.equal(['Hounds'])
    // The same words say what the translations say.
    expect(labelsWith(labelled('DOGS', 'en'))).to.have.members(['DOGS', 'Perros', 'Chiens'])
  })

  it('have links of terms that exist', async () => {
    const links = await readVocabularyLinks('vocabularies/links.tsv')
    const strays = [...links].flatMap(([name, ofName]) =>
      ofName.filter(({ code }) => !files.named[name as 'subjects' | 'genres'].find(code)),
    )
    expect(strays).to.deep.equal([])
  })

  it('keep each label apart from the other labels of its term, whatever an institution calls it', () => {
    const { subjects } = files.named
    const scheme = subjects.scheme.value
    const shipped = [
      ...subjects.statementsOfScheme,
      ...subjects.entries.flatMap(({ code }) => subjects.statements(code)),
    ]
    const renamed = subjects.entries.flatMap(({ code, label }) => {
      const [first] = altLabelsOf(subjects, code)
      return first === undefined ? [] : [{ code, label, first }]
    })
    expect(renamed).to.have.length.above(100)
    const local = renamed.map(({ code, first }, index) => {
      const text = index % 2 === 0 ? first : first.toUpperCase()
      return triple(subjects.concept(code), skos('prefLabel'), DataFactory.literal(text, 'en'))
    })
    const merged = mergeLocalTerms(scheme, shipped, local)
    const vocabulary = buildVocabulary({
      name: 'subjects',
      scheme,
      quads: merged,
      file: 'subjects.ttl',
    })
    for (const [index, { code, label, first }] of renamed.entries()) {
      const name = index % 2 === 0 ? first : first.toUpperCase()
      expect(vocabulary.find(code)?.label).to.equal(name)
      const others = altLabelsOf(vocabulary, code)
      expect(others.map((one) => one.toLowerCase())).not.to.include(name.toLowerCase())
      expect(others, code).to.include(label)
    }
  })

  it('do not call a term what an institution calls another one', () => {
    const { genres } = files.named
    const concept = genres.concept('perzine')
    const other = iri(`${genres.scheme.value}#own`)
    const literal = (text: string, language = 'en') => DataFactory.literal(text, language)
    const local = [
      triple(concept, skos('prefLabel'), literal('Diary zine')),
      triple(concept, skos('prefLabel'), literal('Diario', 'es')),
      triple(concept, skos('altLabel'), literal('Diario', 'es')),
      triple(concept, skos('hiddenLabel'), literal('diary zine')),
      triple(other, skos('notation'), literal('own', '')),
      triple(other, skos('prefLabel'), literal(genres.find('perzine')?.label ?? '')),
    ]
    const merged = mergeLocalTerms(genres.scheme.value, genres.statements('perzine'), local)
    const vocabulary = buildVocabulary({
      name: 'genres',
      scheme: genres.scheme.value,
      quads: merged,
      file: 'genres.ttl',
    })
    const labels = vocabulary
      .statements('perzine')
      .filter(({ predicate }) => /(?:alt|hidden)Label$/.test(predicate.value))
      .map(({ object }) => object.value)
    expect(labels).to.deep.equal(altLabelsOf(genres, 'perzine'))
    expect(findSharedLabels([vocabulary])).to.deep.equal([])
  })

  it('know the headings of other vocabularies', () => {
    const match = createTermMatcher(termListOf(files.named.subjects)).match('Sex instruction')
    expect(match).to.include({ kind: 'exact', code: 'sex-education' })
  })

  it('know words that collections use', () => {
    const matcher = createTermMatcher(termListOf(files.named.subjects))
    const codes = ['comix', 'feminist', 'bikes', 'POC', 'labor', 'Kids', 'GLBTQ'].map((value) => {
      const match = matcher.match(value)
      return match.kind === 'exact' ? match.code : match.kind
    })
    expect(codes).to.deep.equal([
      'comics',
      'feminism',
      'bicycles',
      'people-of-color',
      'work',
      'children',
      'queer',
    ])
  })
})
