// Limits the memory of WebAssembly modules. Neither Node's limits for a worker nor Oxigraph does
// that, and one query with a large cross product takes four gigabytes otherwise.

// Neither TypeScript's library for Node nor Node's own types declare it.
declare const WebAssembly: { Module: new (binary: Uint8Array) => object }

const pageSize = 65_536

/** The most that WebAssembly can address. */
const maxPages = 65_536

/**
 * Limits every module that this thread compiles from now on, such as Oxigraph when it is imported.
 */
export function limitWasmMemory(bytes: number): void {
  const pages = Math.min(maxPages, Math.ceil(bytes / pageSize))
  const { Module } = WebAssembly
  WebAssembly.Module = class extends Module {
    constructor(binary: Uint8Array) {
      super(bounded(binary, pages))
    }
  }
}

const memorySection = 5

/**
 * The module with a maximum for its memory (WebAssembly 1.0, 5.5.8): sections follow a header of
 * eight bytes, each with its number and its length.
 */
export function bounded(binary: Uint8Array, pages: number): Uint8Array {
  let at = 8
  while (at < binary.length) {
    const start = at
    const length = readNumber(binary, start + 1)
    at = length.end + length.value
    if (binary[start] !== memorySection) continue
    // The number of memories, a flag for the maximum, the minimum.
    const minimum = readNumber(binary, length.end + 2)
    const section = [
      1,
      1,
      ...writeNumber(minimum.value),
      ...writeNumber(Math.max(pages, minimum.value)),
    ]
    return Buffer.concat([
      binary.subarray(0, start),
      Buffer.from([memorySection, ...writeNumber(section.length), ...section]),
      binary.subarray(at),
    ])
  }
  throw new Error('the module has no memory of its own')
}

// Numbers are LEB128: seven bits a byte, the lowest first.

function readNumber(binary: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  let at = start
  for (let weight = 1; ; weight *= 128) {
    const byte = binary[at] ?? 0
    at += 1
    value += (byte % 128) * weight
    if (byte < 128) return { value, end: at }
  }
}

const writeNumber = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...writeNumber(Math.floor(value / 128))]
