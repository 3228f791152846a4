// `webhook …` on the command line: what each command takes, does and prints.

import type { Accounts } from '../../accounts/accounts.js'
import { InvalidError } from '../../errors.js'
import { type CommandLine, type CommandLines, formatTable } from '../../lib/command-line.js'
import {
  type ControlCommand,
  type ControlCommands,
  optional,
  stringIn,
} from '../../lib/control-socket.js'
import type { Webhook, Webhooks } from './webhooks.js'

type WebhookTargets = {
  readonly accounts: Pick<Accounts, 'find'>
  readonly webhooks: Pick<Webhooks, 'add' | 'list' | 'enable' | 'remove' | 'secretOf'>
}

type Added = { readonly webhook: Webhook; readonly secret: string }

export const webhookRequests = ({ accounts, webhooks }: WebhookTargets): ControlCommands =>
  new Map<string, ControlCommand>([
    [
      'add-webhook',
      async ({ name, url, kind }) => {
        const account = accounts.find(stringIn(name))
        if (!account) throw new InvalidError(`There is no account named "${stringIn(name)}".`)
        const webhook = await webhooks.add({
          account: account.name,
          url: stringIn(url),
          kind: optional(stringIn, kind),
        })
        return { webhook, secret: webhooks.secretOf(webhook.id) } satisfies Added
      },
    ],
    ['webhooks', ({ name }) => webhooks.list(optional(stringIn, name))],
    ['enable-webhook', ({ id }) => webhooks.enable(stringIn(id))],
    [
      'remove-webhook',
      async ({ id }) => {
        await webhooks.remove(stringIn(id))
        return {}
      },
    ],
  ])

export const webhookCommandLines: CommandLines = new Map<string, CommandLine>([
  [
    'webhook add',
    {
      needed: ['NAME', 'URL'],
      options: { kind: { type: 'string' } },
      parse: ([name, url], { kind }) => ({ command: 'add-webhook', name, url, kind }),
      format: ({ webhook, secret }: Added) => [
        `Added the webhook ${webhook.id}. Its secret is shown this once:`,
        secret,
      ],
    },
  ],
  [
    'webhook list',
    {
      needed: [],
      further: 1,
      options: {},
      parse: ([name]) => ({ command: 'webhooks', name }),
      format: (webhooks: readonly Webhook[]) => formatTable(columns, webhooks.map(toRow)),
    },
  ],
  [
    'webhook enable',
    {
      needed: ['ID'],
      options: {},
      parse: ([id]) => ({ command: 'enable-webhook', id }),
      format: ({ id }: Webhook) => [`Enabled the webhook ${id}.`],
    },
  ],
  [
    'webhook remove',
    {
      needed: ['ID'],
      options: {},
      parse: ([id]) => ({ command: 'remove-webhook', id }),
      format: () => ['Removed the webhook.'],
    },
  ],
])

const columns = ['ID', 'ACCOUNT', 'URL', 'KIND', 'SENT UP TO', 'STATE']

const toRow = (webhook: Webhook): readonly string[] => [
  webhook.id,
  webhook.account,
  webhook.url,
  webhook.kind ?? '-',
  String(webhook.since),
  [webhook.state, webhook.reason ?? webhook.failure?.message ?? []].flat().join(': '),
]
