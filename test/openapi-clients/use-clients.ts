// Plain use of the generated clients, which has to compile under `strict`. The generated files beside it
// are made by test/features/openapi/openapi-clients.test.ts.

import createClient from 'openapi-fetch'

import { holdingsCreate, zinesList } from './hey-api/index.js'
import { zinesCreate as createZine, zinesList as listZines } from './orval-fetch.js'
import { holdingsCreateBody } from './orval-zod.js'
import type { components, paths } from './openapi-typescript.js'

// Nothing with a default needs to be sent.
const holding = { holding_id: 'h', zine_id: 'z', repository_id: 'r' }

export async function withOpenApiFetch(): Promise<string> {
  const client = createClient<paths>({ headers: { Authorization: 'Token x' } })
  const query = { page_size: 1, search: 'soup', genre: 'perzine' }
  const list = await client.GET('/api/zines/', { params: { query } })
  if (list.error) throw new Error(JSON.stringify(list.error))
  const [first] = list.data.results
  const maker: components['schemas']['AgentReference'] | undefined = first?.creator[0]
  const made = await client.POST('/api/holdings/', { body: holding })
  const access:
    | ''
    | 'circulating'
    | 'digital-only'
    | 'personal-use'
    | 'reading-room-only'
    | 'restricted'
    | undefined = made.data?.access_status
  const { data } = await client.GET('/api/holdings/{holding_id}/', {
    params: { path: { holding_id: 'h' } },
  })
  return [first?.title, maker?.display_name, access, data?.zine.title].join()
}

export async function withHeyApi(): Promise<string> {
  const { data } = await zinesList({ query: { page_size: 1 } })
  const made = await holdingsCreate({ body: holding })
  return [data?.results[0]?.title, made.data?.zine.title].join()
}

export async function withOrval(): Promise<string> {
  const list = await listZines({ page_size: 1 })
  const made = await createZine({
    zine_id: 'z',
    title: 'Soup',
    creator: ['dot'],
    subject: ['food'],
    genre: [],
    date: [],
    language: [],
    rights: [],
  })
  if (list.status !== 200 || made.status !== 201) throw new Error('refused')
  return [list.data.results[0]?.title, made.data.title].join()
}

export const withZod = (): string => holdingsCreateBody.parse(holding).holding_id
