// Runs Jena's command `arq` with the libraries that Debian installs (libapache-jena-java), which has no
// command.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

import { openPromise } from 'yauzl'

const javaDirectory = '/usr/share/java'
const core = join(javaDirectory, 'jena-core.jar')

export const hasJena = (): boolean =>
  existsSync(core) && spawnSync('java', ['-version']).status === 0

/** Jena's libraries and those that they need. Those with a version are the same files. */
const isNeeded = (jar: string): boolean =>
  /^(?:jena|commons|http|jackson|dexx|gson|guava|failureaccess|jsonld|thrift|protobuf|titanium|slf4j-(?:api|nop)\.)/.test(
    jar,
  ) && !/-\d+(?:\.\d+)+\.jar$/.test(jar)

/** What `arq` prints, as lines. @param directory where it finds the files of its arguments */
export async function runArq(directory: string, ...args: string[]): Promise<readonly string[]> {
  await unpackMessages(directory)
  const jars = readdirSync(javaDirectory).filter(isNeeded)
  const classPath = [directory, ...jars.map((jar) => join(javaDirectory, jar))].join(delimiter)
  const java = spawn('java', ['-cp', classPath, 'arq.arq', ...args], { cwd: directory })
  const ended = once(java, 'close')
  const [output, errors] = await Promise.all([text(java.stdout), text(java.stderr)])
  const [status] = await ended
  if (status !== 0 || errors !== '') throw new Error(`arq ended with ${status}: ${errors}`)
  return output.trim().split(/\r?\n/)
}

/** Debian renamed the classes of a package within a jar, but not the folder of their messages. */
async function unpackMessages(directory: string): Promise<void> {
  const folder = 'org/apache/jena/ext/'
  const zip = await openPromise(core, { autoClose: false })
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry
    if (!fileName.startsWith(folder) || !fileName.endsWith('.properties')) continue
    const file = join(directory, fileName.slice(folder.length))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await zip.openReadStreamPromise(entry))
  }
  zip.close()
}
