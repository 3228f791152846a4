// Errors that are not those of one folder: the common class of those that the person who runs the
// service can put right, such as a wrong setting, a missing file or a full disk, of which each
// folder declares its own subclasses; and that the service stops.

/**
 * Its message alone says what is wrong and with which file or setting, so main.ts prints no stack.
 */
export class ExpectedError extends Error {}

/** The service stops: long work ends before its next step, and nothing more is written. */
export class StoppingError extends Error {
  constructor() {
    super('The service is stopping.')
  }
}
