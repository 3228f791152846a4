// Tests requests to hosts that others name: a name that nobody has is an error of the request, and does not
// stop the process.

import { expect } from 'chai'

import { UnreachableError } from '../../../src/lib/outgoing/errors.js'
import { requestPublic } from '../../../src/lib/outgoing/public-request.js'

describe('a request to a host that does not exist', () => {
  it('is rejected, and the process goes on', async () => {
    const failure: unknown = await requestPublic('http://nobody.invalid/', {
      allowedHosts: [],
      maxBytes: 1000,
      timeoutMs: 5000,
    }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(UnreachableError)
  })
})
