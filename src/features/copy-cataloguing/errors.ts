// What is wrong with the catalogues that others are asked for, or with what they answer.

import { ExpectedError } from '../../errors.js'

/** The file of catalogues cannot be used. The message names the file and what is wrong. */
export class CataloguesFileError extends ExpectedError {}

/** A catalogue does not answer as it should. The message is a sentence for whoever asked. */
export class CatalogueAnswerError extends ExpectedError {}
