// The titles of lists, and labels within a sentence.

import { expect } from 'chai'

import { labelInSentence } from '../../src/model/label-case.js'
import type { Vocabulary } from '../../src/model/vocabulary.js'
import { type TitleFilter, listTitle } from '../../src/views/list-title.js'

const filter = (param: string, text: string, value = text): TitleFilter => ({
  param,
  text,
  value,
  label: 'Label',
})

describe('the title of a list', () => {
  for (const [name, filters, title] of [
    ['zines', [], 'Zines'],
    ['agents', [], 'Makers'],
    [
      'zines',
      [filter('decade', '1990s'), filter('subject', 'feminism'), filter('language', 'Spanish')],
      'Zines in Spanish about feminism, 1990s',
    ],
    [
      'zines',
      [filter('subject__in', 'art'), filter('subject__in', 'punk'), filter('subject__in', 'war')],
      'Zines about art, punk or war',
    ],
    [
      'zines',
      [filter('subject__all', 'art'), filter('subject__all', 'punk'), filter('q', 'girls')],
      'Zines about art and punk matching “girls”',
    ],
    ['zines', [filter('year__gte', '1990'), filter('year__lte', '1994')], 'Zines, 1990–1994'],
    ['zines', [filter('year__gte', '1990')], 'Zines, from 1990'],
    ['zines', [filter('undated', 'Undated', 'true')], 'Zines, undated'],
    ['zines', [filter('has_holding', 'No', 'false')], 'Zines, in no library'],
    ['zines', [filter('search', 'soup')], 'Zines with “soup”'],
    ['repositories', [filter('country', 'France')], 'Libraries in France'],
    [
      'holdings',
      [filter('repository_id', 'The Cellar'), filter('digital_available', 'Yes', 'true')],
      'Copies at The Cellar, available digitally',
    ],
    ['agents', [filter('public', 'Yes')], 'Makers, Label: Yes'],
  ] as const)
    it(`is “${title}”`, () => {
      expect(listTitle(name, filters)).to.equal(title)
    })
})

describe('a label within a sentence', () => {
  const definition = 'About the Situationist movement. Other movements too.'
  const vocabulary = {
    entries: [{ code: 'x', label: 'X', uri: 'x', definition }],
  } as unknown as Vocabulary

  it('begins with a small letter unless it is a name, an abbreviation or a title', () => {
    for (const [label, expected] of [
      ['Feminism', 'feminism'],
      ['Mental health', 'mental health'],
      ['Anti-racism', 'anti-racism'],
      ['Other', 'other'],
      ['DIY', 'DIY'],
      ['Islam', 'Islam'],
      ['Jewish identity', 'Jewish identity'],
      ['Situationist films', 'Situationist films'],
      ['Abandoned Buildings', 'Abandoned Buildings'],
      ['', ''],
    ] as const)
      expect(labelInSentence(vocabulary, label)).to.equal(expected)
  })
})
