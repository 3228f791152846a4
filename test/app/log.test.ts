// The log on a terminal and elsewhere, and what the start says at a terminal.

import { expect } from 'chai'

import { addressHint, firstRunHint } from '../../src/app/start-hints.js'
import { createLog, formatLine } from '../../src/log.js'

const request = {
  id: 'x',
  method: 'GET',
  path: '/api/zines/',
  query: ['page'],
  status: 200,
  milliseconds: 4.321,
  bytes: 900,
  account: 'ada',
}

describe('the log', () => {
  it('has lines for people on a terminal', () => {
    const lines: string[] = []
    const log = createLog('info', { isTTY: true, write: (line: string) => lines.push(line) })
    log.info('listening')
    log.warn('careful')
    log.debug('hidden')
    log.info(request, 'request')
    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, '(time) '))).to.deep.equal([
      '(time) listening\n',
      '(time) WARN careful\n',
      '(time) GET /api/zines/ 200 4.3 ms ada\n',
    ])
  })

  it('shows the stack of an error on a terminal', () => {
    const lines: string[] = []
    const log = createLog('info', { isTTY: true, write: (line: string) => lines.push(line) })
    log.error({ err: new Error('the disk failed') }, 'store')
    expect(lines.join('')).to.match(/ ERROR store Error: the disk failed\n +at /)
  })

  it('never writes a control character of a path to a terminal', () => {
    const line = JSON.stringify({ ...request, path: '/\u001b[2J\u009b', level: 30, time: 0 })
    expect(formatLine(line)).to.include('GET /?[2J? 200')
  })
})

describe('the start', () => {
  const path = '/manage/first-run?key=k'

  it('says which address to open: localhost, where the service listens at all addresses', () => {
    expect(addressHint('http://0.0.0.0:8000')).to.equal('open http://localhost:8000/ in a browser')
    expect(addressHint('http://127.0.0.1:80')).to.equal('open http://127.0.0.1:80/ in a browser')
  })

  it('prints the link for the first account at the address at which it listens', () => {
    const hint = firstRunHint({ url: 'http://[::]:8000', baseUrl: undefined, path })
    expect(hint).to.include('\n  http://localhost:8000/manage/first-run?key=k')
  })

  it('prints the link for the first account at BASE_URL, where that is set', () => {
    const hint = firstRunHint({ url: 'http://0.0.0.0:8000', baseUrl: 'https://z.example', path })
    expect(hint).to.include('\n  https://z.example/manage/first-run?key=k')
  })
})
