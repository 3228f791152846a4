// A zine at random: an address that leads to another zine each time, of all or of those that the
// filters of their list find (docs/reference/explore.md, "A zine at random").

import { randomInt } from 'node:crypto'

import type { Catalogue } from '../../catalogue/catalogue.js'
import { NotFoundError } from '../../errors.js'
import { json } from '../../formats/common-formats.js'
import type { Resources } from '../../model/resources.js'
import type { Endpoint } from '../../http/endpoint.js'
import { checkListParams, parseListQuery } from '../../http/request/list-query.js'
import { randomPath, recordPath } from '../../views/links.js'
import { redirectToOther } from '../../http/response/redirect.js'

type RandomDependencies = { readonly catalogue: Catalogue; readonly resources: Resources }

export const randomEndpoint = ({ catalogue, resources }: RandomDependencies): Endpoint => ({
  path: randomPath,
  name: 'A Zine by Chance',
  description: 'Leads to one of the zines that a list finds, which chance chooses each time.',
  formats: [json],
  ignoresAccept: true,
  methods: {
    async GET(ctx) {
      checkListParams(ctx, resources.zines)
      const query = parseListQuery(ctx)
      const count = await catalogue.count('zines', query)
      if (count === 0) throw new NotFoundError()
      const range = { offset: randomInt(count), limit: 1 }
      const [id] = (await catalogue.findIds('zines', query, range)).ids
      if (id === undefined) throw new NotFoundError()
      redirectToOther(ctx, recordPath('zines', id))
      ctx.set('Cache-Control', 'no-store')
    },
  },
  operations: { GET: { redirects: true, selects: 'zines', errors: [400, 404] } },
})
