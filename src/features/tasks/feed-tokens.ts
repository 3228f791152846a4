// The endpoints of the tokens of feeds: an account adds and revokes its own
// (docs/reference/accounts.md, "Feed of open tasks").

import { NotFoundError } from '../../errors.js'
import type { Accounts, TokenInfo } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import { taskFeedPath } from '../../views/links.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { pageOperation } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { readBody } from '../../http/request/body.js'
import { pageOfAll } from '../../http/request/pagination.js'
import { requireAccount } from '../../http/request/required-account.js'
import { sendJson } from '../../http/response/conditional.js'
import { encodeSegment } from '../../rdf/terms.js'
import * as schema from '../../http/schemas.js'

type FeedTokenDependencies = {
  readonly accounts: Pick<Accounts, 'addToken' | 'tokensOf' | 'revoke'>
}

const feed = {
  label: schema.text('What uses it, such as the name of a feed reader.'),
  created_at: schema.time(),
  expires: schema.nullable(schema.time()),
  last_used: schema.nullable(schema.text('The day of its last use.')),
}

const feedSchema = schema.component('Feed', 'An address of the feed of open tasks.', feed)

const newFeedSchema = schema.component('NewFeed', 'An address of the feed that was added.', {
  ...feed,
  url: schema.url('The address with its token. It is shown this once.'),
})

const feedToAddSchema = schema.component('FeedWrite', 'An address of the feed to add.', {
  label: schema.text({ minLength: 1, description: 'What uses it; no two have the same label.' }),
  ...schema.partial({
    days: schema.positive('After how many days it is void; never unless given.'),
  }),
})

const common = { formats: [json], readsNeedRights: true } as const

export const feedTokenEndpoints = (dependencies: FeedTokenDependencies): Endpoint[] => [
  feedsEndpoint(dependencies),
  feedEndpoint(dependencies),
]

const feedsEndpoint = ({ accounts }: FeedTokenDependencies): Endpoint => ({
  ...common,
  path: '/api/auth/feeds/',
  name: 'Feeds of Open Tasks',
  description:
    'Addresses of the Atom feed of open requests, invitations and imports, those of the account. ' +
    'The answer to POST has the address, which is good for reading the feed alone.',
  methods: {
    GET(ctx) {
      const tokens = accounts.tokensOf(requireAccount(ctx).name).filter(isOfFeed)
      sendPrivately(ctx, pageOfAll(ctx, tokens, toJson))
    },
    async POST(ctx) {
      const account = requireAccount(ctx)
      const body = schema.withoutNulls(await readBody(ctx))
      const { label, days } = schema.parseMembers(feedToAddSchema, body)
      // No more than the token of the request may do, which may be less than the account may.
      const { role, restrictedTo } = account
      const added = await accounts.addToken(account.name, {
        label,
        days,
        role,
        restrictedTo,
        purpose: 'feed',
      })
      const url = requestOrigin(ctx) + taskFeedPath(added.token)
      sendPrivately(ctx, { ...toJson(added.info), url } satisfies schema.ValueOf<
        typeof newFeedSchema
      >)
      ctx.status = 201
      ctx.set('Location', `${requestOrigin(ctx)}/api/auth/feeds/${encodeSegment(label)}/`)
    },
  },
  operations: {
    GET: pageOperation(schema.page('PaginatedFeedList', feedSchema)),
    POST: { request: feedToAddSchema, response: newFeedSchema, creates: true },
  },
})

const feedEndpoint = ({ accounts }: FeedTokenDependencies): Endpoint => ({
  ...common,
  path: '/api/auth/feeds/:label/',
  name: 'Feed of Open Tasks',
  description: 'An address of the feed. DELETE makes it void.',
  methods: {
    GET(ctx) {
      sendPrivately(ctx, toJson(findFeed(accounts, ctx)))
    },
    async DELETE(ctx) {
      await accounts.revoke(requireAccount(ctx).name, findFeed(accounts, ctx).label)
      ctx.status = 204
    },
  },
  operations: { GET: { response: feedSchema } },
})

const isOfFeed = ({ purpose }: TokenInfo): boolean => purpose === 'feed'

/** @throws NotFoundError also for a token of another kind */
function findFeed(accounts: FeedTokenDependencies['accounts'], ctx: RequestContext): TokenInfo {
  const tokens = accounts.tokensOf(requireAccount(ctx).name)
  const match = tokens.find((token) => isOfFeed(token) && token.label === ctx.params.label)
  if (!match) throw new NotFoundError()
  return match
}

function sendPrivately(ctx: RequestContext, value: unknown): void {
  ctx.set('Cache-Control', 'private, no-store')
  sendJson(ctx, value)
}

const toJson = ({
  label,
  created,
  expires,
  lastUsed,
}: TokenInfo): schema.ValueOf<typeof feedSchema> => ({
  label,
  created_at: created,
  expires: expires ?? null,
  last_used: lastUsed ?? null,
})
