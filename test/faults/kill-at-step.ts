// Kills a service at a chosen step of its start, or of a removal for good: before one of the
// operations that change files. It is loaded into the process of the service before the program, and does nothing in others.

import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

import { ClassicLevel } from 'classic-level'

import { prefixes } from '../../src/store/key-value/keys.js'

/**
 * The settings of a service that kills itself.
 * @param step the number of the step, from 1: the commit that begins the removal
 * @param text what is removed, or a part of it
 */
export const killedAt = (step: number, text: string) => ({
  NODE_OPTIONS: `--import=${import.meta.url}`,
  KILL_AT_STEP: String(step),
  KILL_WITH_TEXT: text,
})

/**
 * The settings of a program that kills itself.
 * @param step the number of the step since its beginning, from 1
 */
export const killedAtStart = (step: number) => ({
  NODE_OPTIONS: `--import=${import.meta.url}`,
  KILL_AT_STEP: String(step),
})

const { KILL_AT_STEP, KILL_WITH_TEXT } = process.env

/** With a text, steps are counted from the commit that begins its removal on. */
let isBegun = KILL_WITH_TEXT === undefined
let steps = 0

function pass(what: string): void {
  if (!isBegun) return
  steps += 1
  if (steps !== Number(KILL_AT_STEP)) return
  process.stderr.write(`killed before: ${what}\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** Whether a commit begins the removal. */
const begins = (operations: unknown): boolean =>
  Array.isArray(operations) &&
  operations.some(({ key, value }: { readonly key: unknown; readonly value?: unknown }) => {
    const isRemoval = String(key).startsWith(prefixes.redactions)
    return isRemoval && String(value).includes(KILL_WITH_TEXT ?? '')
  })

type Method = (...args: unknown[]) => unknown

/** Calls `before` with the arguments before each call of a method. */
function precede(object: object, name: string, before: (...args: unknown[]) => void): void {
  // The cast: what is replaced is a method with these arguments.
  const original = Reflect.get(object, name) as Method
  function replaced(this: unknown, ...args: unknown[]): unknown {
    before(...args)
    return original.apply(this, args)
  }
  Reflect.set(object, name, replaced)
}

if (KILL_AT_STEP !== undefined && isMainThread) {
  precede(ClassicLevel.prototype, 'batch', (operations) => {
    if (begins(operations)) isBegun = true
    pass('a write to the store')
  })
  for (const name of ['compactRange', 'close', 'open'])
    precede(ClassicLevel.prototype, name, () => pass(`${name} of the store`))
  for (const name of ['rename', 'rm', 'unlink', 'writeFile', 'mkdir', 'copyFile', 'link'])
    precede(promises, name, (path) => pass(`${name} ${String(path)}`))
  syncBuiltinESMExports()
}
