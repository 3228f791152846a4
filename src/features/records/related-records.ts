// The records that belong to what a page is about, such as the zines of a maker: the first of their
// list, its address, and for zines the orders to choose from. They are by year unless the parameter
// `ordering` of the page names another order; their list goes on in the same order.

import type { Context } from 'koa'

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { firstPageQuery } from '../../http/request/list-query.js'
import { defaultSize } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { listPath, withParameters } from '../../views/links.js'
import { byTitle, byYear, recentlyAdded } from '../../views/list-orders.js'
import { listInIssueOrder } from './issue-order.js'
import type { RelatedRecords } from './record-page.js'

/** The first is the usual one. */
const orders = [...byYear, byTitle, recentlyAdded]
const [usual] = byYear

type Relation = {
  readonly title: string
  /** The resource whose records they are, with the filter that finds them and its value. */
  readonly from: ResourceName
  readonly filter: string
  readonly value: string
  /** How many are shown of a list that is not the main one of the page. */
  readonly atMost?: number | undefined
}

type RelatedDependencies = { readonly catalogue: Catalogue; readonly resources: Resources }

/** @returns reads the records of a relation, as the request for the page asks for them */
export function relatedRecordsFor(ctx: Context, { catalogue, resources }: RelatedDependencies) {
  const fromQuery = queryParam(ctx, 'ordering')
  const { value: ordering } = orders.find(({ value }) => value === fromQuery) ?? usual

  return async ({ title, from, filter, value, atMost }: Relation): Promise<RelatedRecords> => {
    const isOrdered = from === 'zines'
    const filters = { [filter]: value }
    const query = {
      ...firstPageQuery(atMost ?? defaultSize, { filters }),
      ...(isOrdered && { ordering: [ordering] }),
    }
    const { count, sorted } = await listInIssueOrder(catalogue, resources[from], query)
    const id = `${from}-${filter}`
    return {
      id,
      title,
      path: listPath(from, isOrdered ? { ...filters, ordering } : filters),
      count,
      records: await catalogue.withHoldings(sorted),
      ...(atMost === undefined && { isFirstPage: true as const }),
      orders: isOrdered && count > 1 ? ordersAt(id) : [],
    }
  }

  /** The box keeps its place on the screen. */
  function ordersAt(id: string): RelatedRecords['orders'] {
    return orders.map(({ value, label }) => {
      const changes = { ordering: value === usual.value ? undefined : value }
      const path = withParameters(ctx.path, ctx.querystring, changes)
      return { label, path: `${path}#${id}`, isCurrent: value === ordering }
    })
  }
}
