// What a command of the command line gets. Each has a file of its own in this folder, which is
// loaded only when the command runs, so that `--help` and `account list` do not wait for the whole
// service.

export type CommandContext = {
  /** What stands behind the name of the command. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  /** Whether a person reads the output. */
  readonly isTerminal: boolean
  /** Writes a line of the result. */
  readonly print: (line: string) => void
  /** Writes a line beside the result. */
  readonly warn: (line: string) => void
  /** Makes the process end with a failure, once it ends. */
  readonly fail: () => void
  /** Ends the process now. */
  readonly exit: (code: number) => void
  /** Calls `stop` when the process is asked to end; a later call replaces `stop`. */
  readonly onStop: (stop: () => void) => void
}

/** @throws ExpectedError for what the person at the command line can repair */
export type Command = (context: CommandContext) => Promise<void>
