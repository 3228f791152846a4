// `/manage/service`: how the service is, for administrators, with buttons for a backup and a check.
// How it looks is left to service-page.tsx.

import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { machineMemory } from '../../lib/memory.js'
import type { UnfinishedRedactions } from '../../store/key-value/unfinished-redactions.js'
import type { ChangeRequests } from '../change-requests/change-requests.js'
import { answeredKinds } from '../change-requests/change-requests-form.js'
import { rulesOf } from '../imports/import-state.js'
import type { Imports } from '../imports/imports.js'
import { visibleImports } from '../imports/visible-imports.js'
import type { Webhooks } from '../webhooks/webhooks.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import type { Endpoint } from '../../http/endpoint.js'
import {
  type FormDependencies,
  type SignedInRequest,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import { type Backups, fileNameAt } from './backups.js'
import type { RecentEvents } from './recent-events.js'
import type { ServiceCheck } from './service-check.js'
import { type Measures, type OpenWork, ServicePage } from './service-page.js'

export type ServicePageDependencies = FormDependencies & {
  readonly about: { readonly version: string }
  readonly dataDir: string
  readonly backUp: () => Readable
  readonly backups: Backups
  readonly serviceCheck: ServiceCheck
  readonly recentEvents: RecentEvents
  readonly changeRequests: Pick<ChangeRequests, 'countOpen'>
  readonly imports: Imports
  readonly unfinishedRedactions: Pick<UnfinishedRedactions, 'all'>
  readonly webhooks: Pick<Webhooks, 'list'>
}

/** After how many seconds a browser asks again how far the work is. */
const refreshSeconds = 2

const gzip = { name: 'gzip', type: 'application/gzip', parameters: '' }

export function servicePageEndpoint(dependencies: ServicePageDependencies): Endpoint {
  const { backups, serviceCheck } = dependencies
  return createFormEndpoint(dependencies, {
    path: editingRoutes.service,
    name: 'Service',
    description: 'How the service is, for administrators.',
    isAllowed: ({ role }) => role === 'admin',
    async render(request) {
      const [backup, check] = [await backups.status(), serviceCheck.status()]
      // A header, since it works without scripts.
      if (backup.running || check.running) request.ctx.set('Refresh', String(refreshSeconds))
      return (
        <ServicePage
          context={request.context}
          version={dependencies.about.version}
          {...{ backup, check }}
          {...await measure(dependencies.dataDir)}
          {...await findOpenWork(dependencies, request)}
          events={dependencies.recentEvents.ofLastDay()}
          webhooks={dependencies.webhooks.list()}
        />
      )
    },
    submit(_, form) {
      const action = form.get('do')
      if (action === 'download')
        return Promise.resolve({
          fileName: fileNameAt(Date.now()),
          format: gzip,
          content: dependencies.backUp(),
        })
      if (action === 'backup') backups.begin()
      if (action === 'check') serviceCheck.begin()
      return Promise.resolve({ to: editingLinks.service })
    },
  })
}

async function measure(dataDir: string): Promise<Measures> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  return {
    disk: { free: bavail * bsize, size: blocks * bsize, used: await sizeOf(dataDir) },
    memory: { used: process.memoryUsage.rss(), limit: machineMemory },
  }
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      // A file may be removed meanwhile.
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  return bytes
}

async function findOpenWork(
  { changeRequests, imports, unfinishedRedactions }: ServicePageDependencies,
  { account }: SignedInRequest,
): Promise<OpenWork> {
  const open = (await visibleImports(imports, account)).filter((job) => !rulesOf(job).isDone)
  return {
    requests: changeRequests.countOpen(answeredKinds(account)),
    openImports: open.length,
    removals: (await unfinishedRedactions.all()).length,
  }
}
