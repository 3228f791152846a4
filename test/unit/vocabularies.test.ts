// The vocabularies that come with the service: their labels tell their terms apart.

import { expect } from 'chai'

import { createTermMatcher, termListOf } from '../../src/imports/matching/terms.js'
import {
  geographyNames,
  readModelFiles,
  vocabularyNames,
} from '../../src/model/declarations/read-files.js'
import { altLabelsOf } from '../../src/model/vocabulary.js'
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
