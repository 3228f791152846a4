// The drawn cover of a zine, at an address that pages and other programs may show as an image. How
// it looks is left to features/covers/cover.tsx.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { svg } from '../../formats/common-formats.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { sendText } from '../../http/response/conditional.js'
import { followMerges } from '../merges/merges-api.js'

type CoverDependencies = {
  readonly catalogue: Catalogue
  /** The cover as SVG. */
  readonly drawCover: (record: ResolvedRecord) => string
}

export const coverEndpoint = ({ catalogue, drawCover }: CoverDependencies): Endpoint => ({
  path: '/api/zines/:id/cover/',
  name: 'Zine Cover',
  description:
    'The drawn cover of the zine: its title and issue on a texture that its identifier chooses.',
  formats: [svg],
  resource: 'zines',
  methods: {
    GET: followMerges(async (ctx) => {
      ctx.state.isCurrent = catalogue.currentUntilNextWrite()
      const { record } = await catalogue.read('zines', recordIdParam(ctx), 'detail')
      ctx.set('Cache-Control', 'no-cache')
      // An image that is opened on its own is a document, which could run scripts.
      ctx.set('Content-Security-Policy', "default-src 'none'; sandbox")
      sendText(ctx, drawCover(record))
    }, 'cover/'),
  },
})
