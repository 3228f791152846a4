// What tests of imports do over HTTP: send a file, decide, and wait for the work that goes on.

import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { Answer, Ask, TestService } from '../../service.js'

const csvType = { 'content-type': 'text/csv' }

export function importClient(service: () => TestService) {
  const pathOf = (id: string, part = ''): string => `/api/imports/${id}/${part}`

  const send = (text: string | Uint8Array, query = 'filename=zines.csv', ask: Ask = {}) =>
    service().ask('POST', `/api/imports/?${query}`, { raw: text, headers: csvType, ...ask })

  const get = async (id: string, part = ''): Promise<any> =>
    (await service().get(pathOf(id, part), { token: service().tokens.editor })).body

  const decide = (id: string, decisions: object, ask: Ask = {}): Promise<Answer> =>
    service().patch(pathOf(id), decisions, ask)

  /** The import when no work goes on any more. */
  async function ended(id: string): Promise<any> {
    for (;;) {
      const one = await get(id)
      expect(one).to.have.property('progress')
      if (one.progress === null) return one
      // Asking all the time would take half of the processor from the work.
      await sleep(10)
    }
  }

  async function settled(answer: Answer): Promise<any> {
    expect(answer.status, answer.text).to.be.oneOf([200, 201, 202])
    return answer.body.progress === null ? answer.body : await ended(answer.body.id)
  }

  const post = async (id: string, part: string, body: object = {}): Promise<any> =>
    settled(await service().post(pathOf(id, part), body))

  /** Sends a file whose rows need nothing that is not in them, or that is not decided here. */
  async function begin(text: string, query?: string, decisions: object = {}): Promise<any> {
    const one = await settled(await send(text, query))
    expect(one.state, one.message).to.equal('open')
    return settled(await decide(one.id, decisions))
  }

  /** Previews and writes an import. @returns it */
  async function write(id: string): Promise<any> {
    await post(id, 'preview/')
    const written = await post(id, 'commit/')
    expect(written.state, written.message).to.equal('written')
    return written
  }

  return { send, pathOf, get, decide, ended, settled, post, begin, write }
}
