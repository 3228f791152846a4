// The memory limit of a WebAssembly module, on the smallest module that has memory.

import { expect } from 'chai'

import { bounded } from '../../../src/features/sparql/wasm-memory-limit.js'

type Memory = { grow(pages: number): number }

// Missing in TypeScript's library and in the types of Node.
declare const WebAssembly: {
  Module: new (binary: Uint8Array) => object
  Instance: new (module: object) => { exports: { m: Memory } }
}

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
const exported = [7, 5, 1, 1, 0x6d, 2, 0]
/** One memory, with a minimum, and perhaps with a maximum. */
const moduleOf = (...memory: readonly number[]) =>
  Uint8Array.from([...header, 5, memory.length + 1, 1, ...memory, ...exported])

const memoryOf = (binary: Uint8Array): Memory =>
  new WebAssembly.Instance(new WebAssembly.Module(binary)).exports.m

describe('the memory of a WebAssembly module', () => {
  it('has no limit of its own', () => {
    expect(memoryOf(moduleOf(0, 1)).grow(300)).to.equal(1)
  })

  for (const [name, binary] of [
    ['has one that we give it', moduleOf(0, 1)],
    ['has ours in place of another', moduleOf(1, 1, 100)],
  ] as const)
    it(name, () => {
      const memory = memoryOf(bounded(binary, 3))
      expect(memory.grow(2)).to.equal(1)
      expect(() => memory.grow(1)).to.throw(RangeError)
    })

  it('has a limit of more pages than fit into a byte', () => {
    const memory = memoryOf(bounded(moduleOf(0, 1), 300))
    expect(memory.grow(299)).to.equal(1)
    expect(() => memory.grow(1)).to.throw(RangeError)
  })

  it('is never limited to less than the module starts with', () => {
    expect(() => memoryOf(bounded(moduleOf(0, 5), 3)).grow(1)).to.throw(RangeError)
  })

  it('has to be declared in the module', () => {
    expect(() => bounded(Uint8Array.from(header), 3)).to.throw(/no memory/)
  })
})
