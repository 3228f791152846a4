// The errors of the key-value store, by which callers choose a message or a status.

import { ExpectedError } from '../../errors.js'

/** Another process has the data directory open. */
export class DataDirectoryInUseError extends ExpectedError {}

/** Files are missing or damaged. The message names one of them and says how to recover. */
export class DataCorruptedError extends ExpectedError {}

/** The disk is full. Reading still works, and a later write may succeed. */
export class DiskFullError extends ExpectedError {}

/**
 * The process or the system has too many files open. As with a full disk, a later write may
 * succeed.
 */
export class TooManyFilesError extends DiskFullError {}

/**
 * The error that a full disk, or too many open files, made of an operation on a file; undefined for
 * others.
 */
export function fullDiskError(error: unknown): DiskFullError | undefined {
  if (error instanceof DiskFullError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DiskFullError('the disk is full', { cause: error })
  return code === 'EMFILE' || code === 'ENFILE'
    ? new TooManyFilesError('too many files are open', { cause: error })
    : undefined
}

/** The disk failed. The memory may be ahead of it, so the process has to be restarted. */
export class DiskFailedError extends ExpectedError {}
