// The log on a terminal and elsewhere, and what the start says at a terminal.

import { expect } from 'chai'

import { startHints } from '../../src/app/start-hints.js'
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

describe('the start at a terminal', () => {
  it('says which address to open, and how to add an account when there is none', () => {
    const hints = startHints({ url: 'http://0.0.0.0:8000', hasAccounts: false }).join('\n')
    expect(hints).to.include('open http://localhost:8000/ in a browser')
    expect(hints).to.include('zine-catalogue account add NAME --role admin --password-stdin')
  })

  it('says nothing of accounts when there are some', () => {
    expect(startHints({ url: 'http://127.0.0.1:8000', hasAccounts: true })).to.deep.equal([
      'open http://127.0.0.1:8000/ in a browser',
    ])
  })
})
