// The error of a logo or an About page.

import { ExpectedError } from '../errors.js'

/** A logo or an About page cannot be used. The message names the file and what is wrong. */
export class SiteFileError extends ExpectedError {}
