// What a source cannot be read for.

import { ExpectedError } from '../../errors.js'

/**
 * A source cannot be read at all, or not further. Its message is a plain sentence for the person
 * who brought it.
 */
export class SourceError extends ExpectedError {}
