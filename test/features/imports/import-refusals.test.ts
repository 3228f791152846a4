import { expect } from 'chai'

import { summarizeRefusals } from '../../../src/commands/import.js'

describe('the refused rows that the command import prints', () => {
  it('are one line for each kind of refusal, with the count and three rows', () => {
    const missing = { reasons: ['The title is missing.'] }
    const unknown = (code: string) => ({ reasons: [`Invalid subject codes: ${code}.`] })
    expect(
      summarizeRefusals([
        { number: 1, ...missing },
        { number: 2, ...unknown('x') },
        { number: 3, ...missing },
        { number: 4, ...unknown('y') },
        { number: 5, ...missing },
        { number: 6, ...missing },
        { number: 7, reasons: ['The record is damaged.'] },
      ]),
    ).to.deep.equal([
      '4 rows (1, 3, 5, …): The title is missing.',
      '2 rows (2, 4): Invalid subject codes: x.',
      'row 7: The record is damaged.',
    ])
  })
})
