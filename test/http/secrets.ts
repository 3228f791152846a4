// The private fields of an agent, with values that are easily found wherever they come out.

import { expect } from 'chai'

export const SECRETS = {
  legal_name: 'Xanthippe Quirrell',
  email: 'xq@secret.example',
  phone: '+99 1 ext. xqphone',
}
export const KEYS = Object.keys(SECRETS)
const MARKS = ['Xanthippe', 'xanthippe', 'Quirrell', 'secret.example', 'xqphone']

export function expectNoMark(text: string): void {
  for (const mark of MARKS) expect(text).not.to.include(mark)
}
