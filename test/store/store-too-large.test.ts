// What a start says when the records do not fit into the memory of the embedded store. It runs in a process
// of its own, in which that memory is small.

import { spawnSync } from 'node:child_process'

import { expect } from 'chai'

const program = `
  const built = ${JSON.stringify(new URL('../../src/', import.meta.url).href)}
  const { limitWasmMemory } = await import(built + 'features/sparql/wasm-memory-limit.js')
  limitWasmMemory(16 * 1024 * 1024)
  const { openEmbeddedStore } = await import(built + 'store/embedded/embedded-store.js')
  const ignore = () => undefined
  const keyValueStore = {
    async *entries() {
      for (let id = 0; id < 300_000; id += 1)
        yield ['record/zines/' + id, '<urn:' + id + '> <urn:p> "' + id + '" <urn:g> .\\n']
    },
  }
  const options = { isQueried: true, onLoaded: ignore, onRecord: ignore, onFatal: ignore }
  const error = await openEmbeddedStore(keyValueStore, options).catch((error) => error)
  process.stdout.write(error.constructor.name + ': ' + error.message)
`

describe('records that do not fit into the embedded store', () => {
  it('stop the start with a message that names the remote store', () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    )
    expect(stdout, stderr).to.match(
      /^ExpectedError: the records do not fit .* Set STORE \(docs\/explanation\/remote-store\.md\)/,
    )
  })
})
