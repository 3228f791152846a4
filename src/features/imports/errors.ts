// The errors of imports. Their HTTP statuses and messages are chosen in
// src/http/response/http-errors.ts.

/** There is no such import, or no such part of it. */
export class ImportNotFoundError extends Error {}

/** What is asked for cannot be done in the state of the import, such as while it is written. */
export class ImportStateError extends Error {
  /** @param state of the import */
  constructor(readonly state: string) {
    super(`This cannot be done while the import is ${state}.`)
  }
}

/** The import, or its preview, is not the one that the caller saw. */
export class ImportChangedError extends Error {}

/** The catalogue changed, so that the import would not do what its preview said. */
export class PreviewOutdatedError extends Error {
  /**
   * @param row the first row that would become something else, if it is known
   * @param reasons why it cannot be written
   */
  constructor(row?: number, reasons: readonly string[] = []) {
    const why =
      row === undefined ? '' : ` Row ${row} would not become what it said. ${reasons.join(' ')}`
    super(`The catalogue changed since the preview.${why}`.trim())
  }
}

/** The source has more bytes or rows than are taken. */
export class SourceTooLargeError extends Error {
  constructor(limit: string) {
    super(`A source may have ${limit} at most.`)
  }
}
