// `load`: writes the records of files, into a running service or the data directory of a stopped
// one.

import {
  type LoadCounts,
  type LoadOptions,
  loadFiles,
  readLoadOptions,
} from '../../commands/load.js'
import type { LoadTarget } from '../../commands/load-records.js'
import { catalogueTarget, httpTarget } from '../../commands/load-targets.js'
import type { Resources } from '../../model/resources.js'
import { loadResources } from '../load-model.js'
import type { CommandContext } from './command.js'
import { openStopped, readToken } from './stopped-service.js'

/** @throws ExpectedError */
export async function load(context: CommandContext): Promise<void> {
  const options = readLoadOptions(context.args)
  const resources = await loadResources()
  const target = await openTarget(options, resources, context)
  try {
    const counts = await loadFiles({
      files: options.files,
      target,
      resources,
      options,
      onWarning: context.warn,
      onRefused: context.warn,
    })
    printCounts(context, counts, options)
  } finally {
    await target.close()
  }
}

/** Says what became of the records, and that the command failed where some were refused. */
export function printCounts(
  { print, fail }: CommandContext,
  { created, replaced, unchanged, different, refused }: LoadCounts,
  { replace }: Pick<LoadOptions, 'replace'>,
): void {
  const existingCounts = replace
    ? `${replaced} replaced, ${unchanged} unchanged`
    : `${unchanged} unchanged, ${different} different`
  print(`${created} created, ${existingCounts}, ${refused} refused`)
  if (refused > 0) fail()
}

async function openTarget(
  options: LoadOptions,
  resources: Resources,
  context: CommandContext,
): Promise<LoadTarget> {
  const { url } = options
  if (url !== undefined) return httpTarget(url, await readToken(options, context), resources)
  const backend = await openStopped(context)
  return {
    ...catalogueTarget(backend.catalogue),
    close: () => backend.close(),
  }
}
