// The thread of worker-thread.test.ts: does what a request says.

import { answerRequests } from '../../../src/lib/worker-thread.js'

export type TestRequest =
  { readonly count: number } | { readonly fail: string } | 'endless' | 'exit' | 'memory'

let requests = 0

answerRequests(async function* (request: TestRequest): AsyncGenerator<string, void> {
  requests += 1
  if (request === 'exit') process.exit(0)
  if (request === 'endless') for (;;);
  if (request === 'memory') for (const texts: string[][] = []; ;) texts.push(Array(10_000).fill(''))
  if ('fail' in request) throw new Error(request.fail)
  for (let index = 0; index < request.count; index += 1)
    yield Promise.resolve(`${requests}.${index}`)
})
