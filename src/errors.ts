// The common class of errors that the person who runs the service can put right: a wrong setting, a
// missing file, a full disk. Each folder declares its own subclasses.

/**
 * Its message alone says what is wrong and with which file or setting, so main.ts prints no stack.
 */
export class ExpectedError extends Error {}
