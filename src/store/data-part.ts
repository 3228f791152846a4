// What a part of the service keeps in the data directory: what the doctor checks of it, and which
// files a backup has of it. src/app/data-directory.ts lists the parts.

/** Says what is wrong with the entry that has this key. */
export type ReportEntry = (key: string, what: string) => void

/** Whether an entry is as it was written. It may throw. */
export type EntryCheck = (value: string, key: string) => boolean

/** The checks of one run of the doctor, in this order. */
export type DataChecks = {
  /** By the beginnings of keys. */
  readonly entries: Readonly<Record<string, EntryCheck>>
  checkFiles?(report: ReportEntry): Promise<void>
  /** @param hasRecord whether there is a record with this key */
  checkRecords?(hasRecord: (key: string) => boolean, report: ReportEntry): void
}

/** The names of files are their paths below the data directory, with slashes. */
export type DataPart = {
  createChecks?(): DataChecks
  /** @throws ExpectedError for a file that cannot be used, which stops the start too */
  checkSettings?(): Promise<unknown>
  /** Files that may be there. */
  readonly fileNames?: readonly string[]
  /** Files of which anybody may add more. */
  readonly folder?: {
    isName(name: string): boolean
    /** @throws ENOENT where there is no folder */
    names(): Promise<readonly string[]>
  }
  /** Files that entries of the store name. */
  readonly entryFiles?: EntryFiles
}

export type EntryFiles = {
  namesIn(key: string, value: string): readonly string[]
  isName(name: string): boolean
  /** Undefined for a file that is not there. */
  read(name: string): Promise<Buffer | undefined>
  /** @returns whether the content is that of the name; else nothing is written */
  write(name: string, content: Buffer): Promise<boolean>
}
