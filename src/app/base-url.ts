// Checks that the data belong to the BASE_URL of the settings, and moves data that follow the
// address. What is stored and how IRIs are rewritten: store/key-value/base-url.ts and rebase.ts.

import type { Config } from '../config.js'
import type { Resources } from '../model/resources.js'
import { checkBaseUrl } from '../store/key-value/base-url.js'
import { baseUrlKey } from '../store/key-value/keys.js'
import { type Move, readMove, rebase } from '../store/key-value/rebase.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { markRemoteStale } from '../store/remote/remote-store.js'

type BaseUrlSetting = Pick<Config, 'baseUrl' | 'isBaseUrlSet'>

type MoveOptions = {
  readonly resources: Resources
  /** Told what is done, in a line for who runs the service. */
  readonly notify: (line: string) => void
  /** Called from time to time with the number of records that were moved. */
  readonly onMoved?: ((records: number) => void) | undefined
}

/**
 * Finishes a move that was interrupted. Data that were made without BASE_URL are moved to the new
 * address if BASE_URL is not set now either.
 * @returns whether any were moved
 * @throws ExpectedError when the data belong to another base URL
 */
export async function adoptBaseUrl(
  store: KeyValueStore,
  { baseUrl, isBaseUrlSet }: BaseUrlSetting,
  options: MoveOptions,
): Promise<boolean> {
  const isFinished = await finishMove(store, options)
  const relation = await checkBaseUrl(store, baseUrl, isBaseUrlSet)
  if (relation === 'matches') return isFinished
  const { notify } = options
  const from = (await store.get(baseUrlKey)) ?? ''
  notify(`BASE_URL is not set, so the data follow the address: moving them from ${from}`)
  const records = await moveAll(store, { to: baseUrl, isChosen: false }, options)
  notify(`moved ${records} records from ${from} to ${baseUrl}`)
  return true
}

/** Moves all records to a base URL that was chosen. @returns their number */
export async function moveData(
  store: KeyValueStore,
  to: string,
  options: MoveOptions,
): Promise<number> {
  await finishMove(store, options)
  return moveAll(store, { to, isChosen: true }, options)
}

/** @returns whether there was one to finish */
async function finishMove(store: KeyValueStore, options: MoveOptions): Promise<boolean> {
  const move = await readMove(store)
  if (!move) return false
  options.notify(`the move to ${move.to} was interrupted after ${move.records} records: going on`)
  const records = await moveAll(store, move, options)
  options.notify(`moved ${records} records to ${move.to}`)
  return true
}

async function moveAll(
  store: KeyValueStore,
  move: Move,
  { resources, onMoved }: MoveOptions,
): Promise<number> {
  const fields = Object.values(resources).flatMap((resource) => resource.fields)
  const links = fields.filter(({ kind }) => kind === 'link' || kind === 'url')
  const clientProperties = new Set(links.map(({ path }) => path.at(-1)?.value ?? ''))
  await markRemoteStale(store)
  return rebase(store, move, { clientProperties, onMoved })
}
