// The conflicts of imports.

import type { Message } from '../../message.js'
import { ConflictError } from '../../errors.js'

/** What is asked for cannot be done in the state of the import, such as while it is written. */
export const wrongState = (state: string): ConflictError =>
  new ConflictError(`This cannot be done while the import is ${state}.`, { state })

/** The import, or its preview, is not the one that the caller saw. Pages say so in other words. */
export class ImportChangedError extends ConflictError {
  constructor() {
    super('The import was changed since it was read.')
  }
}

/**
 * The catalogue changed, so that the import would not do what its preview said.
 * @param row the first row that would become something else, if it is known
 * @param reasons why it cannot be written
 */
export function previewOutdated(row?: number, reasons: readonly Message[] = []): ConflictError {
  const why =
    row === undefined ? '' : ` Row ${row} would not become what it said. ${reasons.join(' ')}`
  return new ConflictError(`The catalogue changed since the preview.${why}`.trim())
}
