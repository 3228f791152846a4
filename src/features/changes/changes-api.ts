// The changes of all records in their order, for clients that keep a copy of the catalogue
// (docs/reference/changes.md, "Changes"). What is in the log is left to
// catalogue/history/change-feed.ts.

import type {
  ChangeFeed,
  ChangePage,
  ChangeQuery,
  PublicChange,
} from '../../catalogue/history/change-feed.js'
import { ChangesForgottenError } from '../../catalogue/errors.js'
import { json } from '../../formats/common-formats.js'
import { resourceNames } from '../../model/iris.js'
import { encodeSegment } from '../../rdf/terms.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { inQuery } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { choiceParam, queryParam, urlWithParams } from '../../http/request/url.js'
import { sendJson } from '../../http/response/conditional.js'
import { setLogHeaders } from '../../http/response/log-position.js'
import * as schema from '../../http/schemas.js'

/** How many changes a page has, unless asked otherwise, and at most. */
const changeLimits = { default: 100, max: 1000 }

/** The longest wait for a change, in seconds. */
const maxWaitSeconds = 30

const changeSchema = schema.component(
  'Change',
  'A change of one record. A record is not listed when only what it shows of another record changed, such as a name.',
  {
    sequence: schema.positive('The number of the change, counted over all kinds without gaps.'),
    at: schema.time(),
    kind: schema.choice(resourceNames),
    change: schema.choice(['created', 'updated', 'deleted', 'merged', 'forgotten'], {
      description:
        'With `forgotten`, an identifier of this kind was removed for good, which is not told.',
    }),
    ...schema.partial({
      id: schema.text('The identifier of the record; not with `forgotten`.'),
      url: schema.url('The address of the record; not with `forgotten`.'),
      into: schema.text('The identifier of the record that it was merged into.'),
    }),
  },
)

const pageSchema = schema.component('ChangePage', 'A page of the changes of all records.', {
  log: schema.text('The name of the log: a restored backup begins a new one.'),
  next: schema.url(
    'The page after this one. It is the address that was asked for once there is nothing more.',
  ),
  results: schema.listOf(changeSchema),
})

type ChangePageJson = schema.ValueOf<typeof pageSchema>

const parameters = [
  inQuery(
    'since',
    'Only changes after the one with this number; 0 for all of them. Beyond the end of the log, and for anything but a number: 400.',
    schema.count({ default: 0 }),
  ),
  inQuery('log', 'The name of the log that `since` is a number of; 409 if it is not this one.'),
  inQuery('kind', 'Only changes of these records.', schema.choice(resourceNames)),
  inQuery(
    'limit',
    `How many changes a page has, at most ${changeLimits.max}: a larger number is taken as ${changeLimits.max}, and anything but a number from 1 as ${changeLimits.default}.`,
    schema.positive({ maximum: changeLimits.max, default: changeLimits.default }),
  ),
  inQuery(
    'wait',
    `How many seconds to wait for a change where there is none yet, at most ${maxWaitSeconds}.`,
    schema.count({ maximum: maxWaitSeconds, default: 0 }),
  ),
]

export const changesEndpoint = (changes: ChangeFeed): Endpoint => ({
  path: '/api/changes/',
  name: 'Change List',
  description:
    'Which records were created, updated, deleted or merged, in the order of the changes. ' +
    'After `forgotten`, drop what a list of the kind does not have any more. ' +
    'A record is not listed when only what it shows of another record changed, such as a name. ' +
    '409 and 410 mean: begin again with an export, whose `X-Log-Position` is the `since` to go on with.',
  formats: [json],
  methods: {
    async GET(ctx) {
      // Also with an error: a client that begins again learns from it where the log ends.
      setLogHeaders(ctx, { name: changes.name, position: changes.last() })
      checkLogName(ctx, changes)
      const query = parseChangeQuery(ctx, changes)
      const seconds = parseWait(ctx)
      const page =
        seconds > 0 ? await waitForPage(ctx, changes, query, seconds) : await changes.read(query)
      ctx.set('Cache-Control', seconds > 0 ? 'no-store' : 'no-cache')
      sendPage(ctx, changes, page)
    },
  },
  operations: { GET: { response: pageSchema, parameters, errors: [400, 409, 410, 503] } },
})

/** @throws HttpError 409 if the parameter `log` names another log */
function checkLogName(ctx: RequestContext, { name }: Pick<ChangeFeed, 'name'>): void {
  const log = queryParam(ctx, 'log')
  if (log !== '' && log !== name) throw httpErrors.otherLog(name)
}

/** @throws HttpError 400, ChangesForgottenError */
function parseChangeQuery(ctx: RequestContext, changes: ChangeFeed): ChangeQuery {
  const since = parseSince(queryParam(ctx, 'since'))
  const last = changes.last()
  if (since > last)
    throw httpErrors.badRequest(
      `\`since\` is beyond the end of the log: its last change is ${last}.`,
    )
  const first = changes.first()
  // Before waiting, which would last in vain.
  if (since + 1 < first) throw new ChangesForgottenError(first)
  return { since, kind: choiceParam(ctx, 'kind', resourceNames), limit: parseLimit(ctx) }
}

function parseSince(text: string): number {
  if (text === '') return 0
  if (!isNumber(text)) throw httpErrors.badRequest('`since` has to be a number from 0.')
  return Number(text)
}

function parseLimit(ctx: RequestContext): number {
  const text = queryParam(ctx, 'limit')
  const limit = isNumber(text) ? Number(text) : 0
  return limit === 0 ? changeLimits.default : Math.min(limit, changeLimits.max)
}

function parseWait(ctx: RequestContext): number {
  // A process that only reads, and is about to stop, passes a request on with it (RFC 7240, 4.3).
  if (ctx.get('Prefer') === 'wait=0') return 0
  const text = queryParam(ctx, 'wait')
  return isNumber(text) ? Math.min(Number(text), maxWaitSeconds) : 0
}

const isNumber = (text: string): boolean => /^\s*\d+\s*$/.test(text)

async function waitForPage(
  ctx: RequestContext,
  changes: ChangeFeed,
  query: ChangeQuery,
  seconds: number,
): Promise<ChangePage> {
  const ending = new AbortController()
  const end = (): void => ending.abort()
  const timer = setTimeout(end, seconds * 1000)
  // The client may hang up.
  ctx.res.once('close', end)
  if (ctx.res.closed) end()
  try {
    return await changes.wait(query, ending.signal)
  } finally {
    clearTimeout(timer)
    ctx.res.off('close', end)
  }
}

function sendPage(ctx: RequestContext, { name }: ChangeFeed, page: ChangePage): void {
  const next = urlWithParams(ctx, { log: name, since: String(page.through) })
  ctx.state.links = [{ relation: 'next', target: next }]
  const origin = requestOrigin(ctx)
  const results = page.changes.map((change) => toJson(change, origin))
  sendJson(ctx, { log: name, next, results } satisfies ChangePageJson)
}

/** The page as it is sent to webhooks. @param base that of all URLs */
export const changePageJson = (page: ChangePage, log: string, base: string): ChangePageJson => ({
  log,
  next: `${base}/api/changes/?${new URLSearchParams({ log, since: String(page.through) }).toString()}`,
  results: page.changes.map((change) => toJson(change, base)),
})

function toJson(change: PublicChange, origin: string): schema.ValueOf<typeof changeSchema> {
  if (change.change === 'forgotten') return change
  const { sequence, at, reference, into } = change
  return {
    sequence,
    at,
    kind: reference.target,
    id: reference.id,
    change: change.change,
    ...(into === undefined ? {} : { into }),
    url: `${origin}/api/${reference.target}/${encodeSegment(reference.id)}/`,
  }
}
