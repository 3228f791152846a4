// The thread that writes a copy, while another one answers what it asks. `publishInThread` of
// publish-thread.ts is the other side.

import { ExpectedError } from '../../errors.js'
import { packageRoot } from '../../lib/package-files.js'
import { answerRequests } from '../../lib/worker-thread.js'
import { translatorFor } from '../../messages/translator.js'
import { readModelFiles } from '../../model/declarations/read-files.js'
import { createIris } from '../../model/iris.js'
import type { PublishAnswer, PublishRequest } from './publish-thread.js'
import { publish } from './publish.js'

answerRequests(async function* (request: PublishRequest): AsyncGenerator<PublishAnswer, void> {
  let pages = 0
  const outcome = run(request, (done) => (pages = done)).catch((error: unknown) => {
    // A class of errors does not get from one thread to another.
    if (error instanceof ExpectedError) return { refused: error.message }
    throw error
  })
  for (;;) {
    const answer = await Promise.race([outcome, pause()])
    yield answer ?? { pages }
    if (answer) return
  }
})

const pause = (): Promise<undefined> =>
  new Promise((resolve) => void setTimeout(() => resolve(undefined), 500).unref())

async function run(
  { base, terms, language, ...source }: PublishRequest,
  onProgress: (pages: number) => void,
): Promise<PublishAnswer> {
  const iris = createIris(base)
  const { named: vocabularies } = await readModelFiles(packageRoot, terms, iris)
  const { named: shipped } = await readModelFiles(packageRoot, '', iris)
  const translator = translatorFor(language)
  const changes = await publish({ ...source, base, translator, vocabularies, shipped, onProgress })
  return { changes }
}
