// Progress of long work, for whoever waits at a terminal: one line, written over itself; in a log,
// a line now and then.

export type Progress = {
  /** Says how far it is. */
  show(done: number): void
  /** Says how far it came, and ends the line. */
  end(done: number): void
}

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** How often a line is written over, and how often one is added to a log, in milliseconds. */
const pause = { terminal: 100, log: 5_000 }

/**
 * @param noun what is counted, like `records loaded`
 * @param total how many there will be, where that is known
 */
export function createProgress(
  noun: string,
  total: number | undefined,
  output: Output = process.stderr,
): Progress {
  const started = performance.now()
  let last = started

  function line(done: number): string {
    const seconds = (performance.now() - started) / 1000
    const rate = `${Math.round(done / Math.max(seconds, 0.001))}/s`
    const share = total === undefined ? '' : ` of ${total} ${barOf(done / Math.max(total, 1))}`
    return `${done}${share} ${noun}, ${seconds.toFixed(1)} s, ${rate}`
  }

  return {
    show(done) {
      const now = performance.now()
      if (now - last < (output.isTTY ? pause.terminal : pause.log)) return
      last = now
      output.write(output.isTTY ? `\r\u001b[2K${line(done)}` : `${line(done)}\n`)
    },
    end: (done) => void output.write(`${output.isTTY ? '\r\u001b[2K' : ''}${line(done)}\n`),
  }
}

function barOf(share: number): string {
  const width = 24
  const full = Math.min(width, Math.floor(share * width))
  return `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor(share * 100)} %`
}
