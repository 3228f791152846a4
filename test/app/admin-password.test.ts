// ADMIN_PASSWORD_FILE: the password of the administrator from a file, as containers get secrets.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { ExpectedError } from '../../src/errors.js'
import { readConfig } from '../../src/config.js'
import { withDirectory } from '../process.js'

describe('ADMIN_PASSWORD_FILE', () => {
  const adminOf = (settings: Readonly<Record<string, string>>) =>
    readConfig({ ADMIN_USERNAME: 'ada', ...settings }).admin

  for (const [what, text] of [
    ['without a line end', ' a long pass phrase'],
    ['with a line end', ' a long pass phrase\n'],
    ['with further lines', ' a long pass phrase\r\nfor the catalogue\r\n'],
  ] as const)
    it(`names a file ${what}, whose first line is the password`, () =>
      withDirectory(async (directory) => {
        const file = join(directory, 'password')
        await writeFile(file, text)
        const admin = { name: 'ada', password: ' a long pass phrase' }
        expect(adminOf({ ADMIN_PASSWORD_FILE: file })).to.deep.equal(admin)
        expect(() => readConfig({ ADMIN_PASSWORD_FILE: file })).to.throw('ADMIN_USERNAME is not')
        expect(() => adminOf({ ADMIN_PASSWORD_FILE: file, ADMIN_PASSWORD: 'other' }))
          .to.throw(ExpectedError)
          .with.property(
            'message',
            'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are set; set one of them',
          )
      }))

  it('stops the start with its name when the file cannot be read, or is empty', () =>
    withDirectory(async (directory) => {
      const file = join(directory, 'password')
      expect(() => adminOf({ ADMIN_PASSWORD_FILE: file })).to.throw(
        ExpectedError,
        'ADMIN_PASSWORD_FILE',
      )
      await writeFile(file, '\n')
      expect(() => adminOf({ ADMIN_PASSWORD_FILE: file })).to.throw(ExpectedError, 'ADMIN_PASSWORD')
    }))
})
