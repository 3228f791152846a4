// CONTACT: which values it takes.

import { expect } from 'chai'

import { ExpectedError } from '../../src/errors.js'
import { readConfig } from '../../src/config.js'

describe('CONTACT', () => {
  for (const [value, contact] of [
    [undefined, undefined],
    [' ', undefined],
    ['zines@example.org', 'mailto:zines@example.org'],
    ['mailto:zines@example.org', 'mailto:zines@example.org'],
    ["o'brien+zines@mail.example.org", "mailto:o'brien+zines@mail.example.org"],
    ['https://example.org/contact?about=zines', 'https://example.org/contact?about=zines'],
    ['http://localhost:8000/', 'http://localhost:8000/'],
  ] as const)
    it(`takes ${value ?? 'nothing'}`, () => {
      expect(readConfig(value === undefined ? {} : { CONTACT: value }).contact).to.equal(contact)
    })

  for (const value of [
    'zines',
    'zines@',
    '@example.org',
    'a@b@example.org',
    'a@example.org?cc=b@example.org',
    'javascript:alert(1)',
    'mailto:javascript:alert(1)',
    'ftp://example.org/',
    '//example.org/',
    'https://',
    'https://example.org/"onclick="x',
    'zines@example.org, other@example.org',
    `${'a'.repeat(250)}@example.org`,
  ])
    it(`stops the start with ${value.slice(0, 40)}`, () => {
      expect(() => readConfig({ CONTACT: value })).to.throw(
        ExpectedError,
        `CONTACT is ${JSON.stringify(value)}; it takes an e-mail address or an http or https URL`,
      )
    })
})
