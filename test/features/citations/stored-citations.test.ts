// Citations in the styles of the Citation Style Language: what each prints for zines as they are, and what the thread
// that makes them does when it fails.

import { expect } from 'chai'

import { UnavailableError } from '../../../src/errors.js'
import { createCitationService } from '../../../src/features/citations/citation-service.js'
import { textOf } from '../../../src/features/citations/citation-text.js'
import {
  type CitationProcessor,
  createProcessor,
} from '../../../src/features/citations/processor.js'
import type { CitedItem } from '../../../src/features/citations/styles.js'

const directory = 'citation-styles'

const doris: CitedItem = {
  type: 'book',
  genre: 'Zine',
  title: 'Doris, no. 15',
  author: [{ family: 'Crabb', given: 'Cindy' }],
  publisher: 'Doris Press',
  'publisher-place': 'Asheville, NC',
  issued: { 'date-parts': [[1999, 5]] },
  language: 'en',
  URL: 'https://zines.example/id/zines/doris-15',
}

const changed = (changes: CitedItem): CitedItem => ({ ...doris, ...changes })

describe('citations', () => {
  let processor: CitationProcessor

  before(async () => {
    processor = await createProcessor(directory)
  })

  const cite = (item: CitedItem) => {
    const { apa, mla, chicago } = processor.cite(item)
    return { apa: textOf(apa), mla: textOf(mla), chicago: textOf(chicago) }
  }

  // As the handbooks have it for a book, with the kind of the work where the style prints one.
  it('of a zine by one person follow each style', () => {
    expect(cite(doris)).to.deep.equal({
      apa: 'Crabb, C. (1999). Doris, no. 15 [Zine]. Doris Press. https://zines.example/id/zines/doris-15',
      mla: 'Crabb, Cindy. Doris, No. 15. Doris Press, 1999, https://zines.example/id/zines/doris-15.',
      chicago:
        'Crabb, Cindy. 1999. Doris, No. 15. Zine. Asheville, NC: Doris Press. https://zines.example/id/zines/doris-15.',
    })
  })

  it('of three makers name all in APA and Chicago, and the first in MLA', () => {
    const author = [
      { family: 'Crabb', given: 'Cindy' },
      { literal: 'Riot Grrrl DC' },
      { family: 'Wolfe', given: 'Allison' },
    ]
    const { apa, mla, chicago } = cite(changed({ author }))
    expect(apa).to.match(/^Crabb, C\., Riot Grrrl DC, & Wolfe, A\. \(1999\)/)
    expect(mla).to.match(/^Crabb, Cindy, et al\. Doris/)
    expect(chicago).to.match(/^Crabb, Cindy, Riot Grrrl DC, and Allison Wolfe\. 1999/)
  })

  it('without a date say so, and an uncertain date stays uncertain in APA', () => {
    const undated = Object.fromEntries(Object.entries(doris).filter(([name]) => name !== 'issued'))
    expect(cite(undated)).to.include({
      apa: 'Crabb, C. (n.d.). Doris, no. 15 [Zine]. Doris Press. https://zines.example/id/zines/doris-15',
    })
    expect(cite(undated).chicago).to.match(/^Crabb, Cindy\. n\.d\. Doris/)
    const circa = changed({ issued: { 'date-parts': [[1999]], circa: true } })
    expect(cite(circa).apa).to.include('(ca. 1999)')
  })

  it('keep the words of a title in another language as they are', () => {
    const item = changed({ title: 'la revolución no será', language: 'es' })
    expect(cite(item).mla).to.include('la revolución no será')
    expect(cite(changed({ title: 'the revolution will be' })).mla).to.include(
      'The Revolution Will Be',
    )
  })

  it('have the title in italics and take markup in it as text', () => {
    const title = '<i>a</i> & <b>b</b> <script>alert(1)</script> \uE000c'
    const { apa } = processor.cite(changed({ title, language: 'de' }))
    expect(apa.filter(({ isItalic }) => isItalic).map(({ text }) => text)).to.deep.equal([
      '<i>a</i> & <b>b</b> <script>alert(1)</script> c',
    ])
  })

  it('of one item do not change those of the next', () => {
    const first = cite(doris)
    cite(changed({ title: 'Something else', author: [] }))
    expect(cite(doris)).to.deep.equal(first)
  })

  describe('in a thread', () => {
    it('are made as in this thread', async () => {
      const service = createCitationService({ directory })
      const citations = await service.cite(doris)
      expect(textOf(citations.apa)).to.equal(cite(doris).apa)
      await service.close()
    })

    it('that takes too long fail, and the next ones are made by another', async () => {
      let service = createCitationService({ directory, timeoutMs: 1 })
      const failure = await service.cite(doris).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(UnavailableError)
      await service.close()
      service = createCitationService({ directory })
      expect(textOf((await service.cite(doris)).mla)).to.equal(cite(doris).mla)
      await service.close()
    })

    it('without its styles fail, and do not end the process', async () => {
      const service = createCitationService({ directory: 'no-such-directory' })
      const failure = await service.cite(doris).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(Error)
      await service.close()
    })

    it('that are waited for when the service stops fail', async () => {
      const service = createCitationService({ directory })
      const waiting = service.cite(doris).catch((error: unknown) => error)
      await service.close()
      expect(await waiting).to.be.instanceOf(UnavailableError)
    })
  })
})
