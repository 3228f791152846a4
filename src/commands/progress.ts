// Shows the progress of long work: on a terminal one line that is overwritten, in a log a line
// every few seconds.

export type Progress = {
  show(done: number): void
  /** Shows the final number and ends the line. */
  end(done: number): void
}

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** The time between two lines. */
const intervalMs = { terminal: 100, log: 5_000 }

/**
 * @param noun what is counted, such as `records loaded`
 * @param total the final number, where it is known
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
    const share = total === undefined ? '' : ` of ${total} ${formatBar(done / Math.max(total, 1))}`
    return `${done}${share} ${noun}, ${seconds.toFixed(1)} s, ${rate}`
  }

  return {
    show(done) {
      const now = performance.now()
      if (now - last < (output.isTTY ? intervalMs.terminal : intervalMs.log)) return
      last = now
      output.write(output.isTTY ? `\r\u001b[2K${line(done)}` : `${line(done)}\n`)
    },
    end: (done) => void output.write(`${output.isTTY ? '\r\u001b[2K' : ''}${line(done)}\n`),
  }
}

function formatBar(share: number): string {
  const width = 24
  const full = Math.min(width, Math.floor(share * width))
  return `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor(share * 100)} %`
}
