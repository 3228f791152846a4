// The account commands, on the data directory of a stopped service and through the control socket of a
// running one.

import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'

import { expect } from 'chai'

import { ExpectedError, InvalidError } from '../../src/errors.js'
import type { Account, Accounts } from '../../src/accounts/accounts.js'
import { loadAccounts, CredentialsError } from '../../src/accounts/accounts.js'
import { manageService, serviceRequests } from '../../src/app/service-commands.js'
import {
  sendControlRequest,
  ControlConnectionError,
  serveControl,
} from '../../src/lib/control-socket.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { noWebhooks } from '../../src/features/webhooks/webhooks.js'
import { loadInvitations, noInvitations } from '../../src/accounts/invitations.js'
import { failureOf } from '../error-of.js'

const invitationUrl = (key: string): string => `https://zines.example/manage/invitation?key=${key}`

const otherTargets = { webhooks: noWebhooks, invitations: noInvitations, invitationUrl }

const lowCost = { passwordCost: 2 ** 10 }
const addBob = 'account add bob --role editor --only zines,holdings --password-stdin'

describe('the account command', () => {
  let dataDir: string
  let socket: string
  let started: { accounts: Accounts; stop(): Promise<void> } | undefined

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'account-command-'))
    socket = join(dataDir, 'control.sock')
  })

  afterEach(async () => {
    await started?.stop()
    started = undefined
    await rm(dataDir, { recursive: true })
  })

  /** Opens what a running service has open. */
  async function start(onError?: (error: Error) => void) {
    const store = await openKeyValueStore(join(dataDir, 'store'))
    const accounts = await loadAccounts(store, join(dataDir, 'token.key'), lowCost)
    const invitations = await loadInvitations(store, accounts)
    const targets = { ...otherTargets, accounts, invitations }
    const control = await serveControl(socket, serviceRequests(targets), onError)
    started = {
      accounts,
      async stop() {
        started = undefined
        await control.close()
        await store.close()
      },
    }
    return started
  }

  /** The accounts of the service, whether it runs or not. */
  async function withAccounts<T>(look: (accounts: Accounts) => T | Promise<T>): Promise<T> {
    if (started) return look(started.accounts)
    const store = await openKeyValueStore(join(dataDir, 'store'))
    try {
      return await look(await loadAccounts(store, join(dataDir, 'token.key'), lowCost))
    } finally {
      await store.close()
    }
  }

  async function run(
    args: string | readonly string[],
    stdin: string | Buffer = '',
  ): Promise<string> {
    const lines: string[] = []
    await manageService(typeof args === 'string' ? args.split(' ') : args, {
      dataDir,
      invitationUrl,
      ...lowCost,
      stdin: Readable.from([stdin], { objectMode: false }),
      print: (line) => void lines.push(line),
    })
    return lines.join('\n')
  }

  const places = [
    ['while the service is stopped', () => Promise.resolve()],
    ['while the service runs', () => start().then(() => undefined)],
  ] as const
  for (const [when, prepare] of places)
    describe(when, () => {
      beforeEach(prepare)

      it('adds an account whose password is the first line of standard input', async () => {
        expect(await run(addBob, 'pass word \r\nnot this\n')).to.equal('Added bob, editor.')
        await withAccounts(async (accounts) => {
          expect(accounts.list()[0]).to.deep.include({
            name: 'bob',
            restrictedTo: ['zines', 'holdings'],
          })
          expect(await accounts.login('bob', 'pass word ')).to.have.length(40)
        })
      })

      it('lists accounts as a table', async () => {
        await run(addBob, 'secret')
        await run(['account', 'add', 'Zoë the admin', '--role', 'admin', '--password-stdin'], 'x')
        await run('account disable bob')
        const created = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
        expect(await run('account list')).to.match(
          new RegExp(
            [
              '^NAME           ROLE    ONLY            STATE     CREATED                   LAST USED',
              `Zoë the admin  admin   -               active    ${created}  never`,
              `bob            editor  zines,holdings  disabled  ${created}  never$`,
            ].join('\n'),
          ),
        )
      })

      it('disables an account', async () => {
        await run(addBob, 'secret')
        expect(await run('account disable bob')).to.equal('Disabled bob.')
        await withAccounts(async (accounts) => {
          expect(await failureOf(accounts.login('bob', 'secret'))).to.be.instanceOf(
            CredentialsError,
          )
        })
      })

      it('enables an account again', async () => {
        await run(addBob, 'secret')
        await run('account disable bob')
        expect(await run('account enable bob')).to.equal('Enabled bob.')
        await withAccounts(async (accounts) => {
          expect(await accounts.login('bob', 'secret')).to.have.length(40)
        })
      })

      it('changes the rights of an account', async () => {
        await run(addBob, 'secret')
        expect(await run('account role bob --role editor --only agents,zines')).to.equal(
          'bob is editor of zines, agents.',
        )
        expect(await run('account role bob --role viewer')).to.equal('bob is viewer.')
        expect(await run('account list')).to.match(/bob +viewer +- /)
      })

      it('invites somebody, and prints the link', async () => {
        const [first, link] = (await run('account invite ann --role viewer')).split('\n')
        expect(first).to.match(/^Invited ann\. The link works once, until 20\S+Z:$/)
        expect(link).to.match(/^https:\/\/zines\.example\/manage\/invitation\?key=[\w-]{43}$/)
        expect(await run('account list')).to.not.include('ann')
      })

      it('binds an editor to the holdings of one library, and lets it go', async () => {
        const args = 'account add ann --role editor --repository cellar --password-stdin'
        await run(args, 'secret')
        expect(await run('account list')).to.match(/ann +editor +holdings of cellar +active/)
        expect(await run('account role ann --role editor --repository attic')).to.equal(
          'ann is editor of holdings of the repository attic.',
        )
        await withAccounts((accounts) => {
          expect(accounts.find('ann')).to.deep.include({
            restrictedTo: ['holdings'],
            repository: 'attic',
          })
        })
        await run('account role ann --role editor')
        await withAccounts((accounts) => {
          expect(accounts.find('ann')).to.deep.include({
            restrictedTo: [],
            repository: undefined,
          })
        })
      })

      it('changes a password', async () => {
        await run(addBob, 'secret')
        expect(await run('account password bob --password-stdin', 'another one\n')).to.equal(
          'Changed the password of bob, and ended all sessions.',
        )
        await withAccounts(async (accounts) => {
          expect(await accounts.login('bob', 'another one')).to.have.length(40)
          expect(await failureOf(accounts.login('bob', 'secret'))).to.be.instanceOf(
            CredentialsError,
          )
        })
      })

      it('shows the hour in which an account was last used', async () => {
        await run(addBob, 'secret')
        await withAccounts((accounts) => accounts.login('bob', 'secret'))
        expect(await run('account list')).to.match(/T\d\d:00:00\.000Z$/)
      })

      it('revokes a token', async () => {
        await run(addBob, 'secret')
        const before = await withAccounts((accounts) => accounts.login('bob', 'secret'))
        expect(await run('token revoke bob')).to.equal(
          'Revoked all tokens of bob; the next login gives another.',
        )
        const after = await withAccounts((accounts) => accounts.login('bob', 'secret'))
        expect(after).not.to.equal(before)
      })

      it('adds a token, prints it this once, lists its last four characters, and revokes it', async () => {
        await run(addBob, 'secret')
        const login = await withAccounts((accounts) => accounts.login('bob', 'secret'))
        const added = await run('token add bob --label harvest --role viewer --expires 90d')
        const [first, token = ''] = added.split('\n')
        expect(first).to.equal('Added the token harvest of bob. It is shown this once:')
        expect(token).to.match(/^[0-9a-f]{40}$/)
        await withAccounts((accounts) => {
          expect(accounts.authenticate(token)).to.include({ name: 'bob', role: 'viewer' })
        })
        const listed = await run('token list bob')
        expect(listed).to.not.include(token).and.not.include(login)
        expect(listed).to.match(/^LABEL +ENDS IN +ROLE +ONLY +CREATED +LAST USED +EXPIRES\nlogin /)
        expect(listed).to.match(new RegExp(`\nharvest +${token.slice(-4)} +viewer +- +`))
        expect(await run('token revoke bob harvest')).to.equal('Revoked the token harvest of bob.')
        await withAccounts((accounts) => {
          expect(() => accounts.authenticate(token)).to.throw('Invalid token.')
          expect(accounts.authenticate(login).name).to.equal('bob')
        })
        expect(await run('token revoke bob login')).to.equal(
          'Revoked the token login of bob; the next login gives another.',
        )
      })

      const refused = [
        ['an empty password', addBob, '\n', /blank/],
        ['a password that is too long', addBob, 'x'.repeat(5000), /4096/],
        ['an unknown role', addBob.replace('editor', 'owner'), 'secret', /"owner"/],
        ['an unknown resource', addBob.replace('zines', 'stamps'), 'secret', /"stamps"/],
        ['an unknown account', 'account disable eve', '', /"eve"/],
        [
          'the password of an unknown account',
          'account password eve --password-stdin',
          'long enough',
          /"eve"/,
        ],
        ['a short new password', 'account password eve --password-stdin', 'short', /at least 8/],
        [
          'a token of an unknown account',
          'token add eve --label x',
          '',
          /There is no account named "eve"/,
        ],
        ['the tokens of an unknown account', 'token list eve', '', /"eve"/],
        [
          'a viewer who is bound to a library',
          'account add ann --role viewer --repository cellar --password-stdin',
          'secret',
          /Only an editor can be bound/,
        ],
        ['an invitation with an unknown role', 'account invite ann --role owner', '', /"owner"/],
        [
          'other records for an editor who is bound to a library',
          'account add ann --role editor --only zines --repository cellar --password-stdin',
          'secret',
          /writes holdings only/,
        ],
        ['an unknown role for an account', 'account role eve --role owner', '', /"owner"/],
      ] as const
      for (const [what, args, stdin, message] of refused)
        it(`refuses ${what}`, async () => {
          const failure = await failureOf(run(args, stdin))
          expect(failure).to.be.instanceOf(InvalidError)
          expect(failure.message).to.match(message)
        })

      it('refuses an empty list of resources instead of allowing all of them', async () => {
        const args = ['account', 'add', 'bob', '--role', 'editor', '--only=', '--password-stdin']
        expect(await failureOf(run(args, 'secret'))).to.be.instanceOf(InvalidError)
      })
    })

  it('makes a token void in the running service at once', async () => {
    const { accounts } = await start()
    await run(addBob, 'secret')
    const token = await accounts.login('bob', 'secret')
    await run('token revoke bob')
    expect(() => accounts.authenticate(token)).to.throw('Invalid token.')
  })

  // A pipe that stays open kept the command waiting for its end, though the line was there.
  it('does not wait for the end of standard input', async () => {
    const stdin = new PassThrough()
    stdin.write('secret\n')
    await manageService(addBob.split(' '), {
      dataDir,
      invitationUrl,
      ...lowCost,
      stdin,
      print: () => undefined,
    })
    expect(stdin.destroyed).to.equal(true)
  })

  it('accepts a name that begins with a dash after --', async () => {
    await run(['account', 'add', '--role', 'viewer', '--password-stdin', '--', '-x'], 'secret')
    expect(await run('account list')).to.include('-x')
  })

  it('closes the data directory, so that the service can start', async () => {
    await run(addBob, 'secret')
    await failureOf(run('account disable eve'))
    const { accounts } = await start()
    expect(accounts.list()).to.have.length(1)
  })

  // prettier-ignore
  const misused: readonly (readonly [args: readonly string[], stdin: string | Buffer, message: RegExp])[] = [
    [[],                                                                '',       /^A command is missing\./],
    [['account'],                                                       '',       /^Unknown command: account\n/],
    [['account', 'constructor'],                                        '',       /^Unknown command: account constructor\n/],
    [['account', 'add', '--role', 'viewer', '--password-stdin'],        'secret', /^NAME is missing\./],
    [['account', 'add', 'a', 'b', '--role', 'viewer'],                  'secret', /^Unexpected argument: b\n/],
    [['account', 'add', 'bob', '--password-stdin'],                     'secret', /^--role is missing\./],
    [['account', 'add', 'bob', '--role', 'viewer'],                     'secret', /^--password-stdin is missing/],
    [['account', 'add', 'bob', '--role'],                               'secret', /^Option '--role <value>' argument missing/],
    [['account', 'list', '--role', 'viewer'],                           '',       /^Unknown option '--role'/],
    [['account', 'list', 'bob'],                                        '',       /^Unexpected argument: bob\n/],
    [['account', 'role', 'bob'],                                        '',       /^--role is missing\./],
    [['account', 'password', 'bob'],                                    'secret', /^--password-stdin is missing/],
    [['account', 'disable'],                                            '',       /^NAME is missing\./],
    [['token', 'revoke', 'bob', 'harvest', 'eve'],                      '',       /^Unexpected argument: eve\n/],
    [['token', 'revoke'],                                               '',       /^NAME is missing\./],
    [['token', 'add', 'bob'],                                           '',       /^--label is missing\./],
    [['token', 'add', 'bob', '--label', 'x', '--expires', 'soon'],      '',       /^--expires takes a number of days, like 90d\./],
    [['token', 'list'],                                                 '',       /^NAME is missing\./],
    [addBob.split(' '),                                                 'x'.repeat(20_000),       /it is longer than 16384 bytes/],
    [addBob.split(' '),                                                 Buffer.from([0x66, 0xfc]), /it is not UTF-8/],
  ]
  for (const [args, stdin, message] of misused)
    it(`shows its usage for "${args.join(' ')}": ${message.source}`, async () => {
      const failure = await failureOf(run(args, stdin))
      expect(failure).to.be.instanceOf(ExpectedError)
      expect(failure.message).to.match(message).and.include('\n\nusage: zine-catalogue account add')
      expect(await readdir(dataDir)).to.be.empty
    })

  it('says that the data directory is in use when no process listens on the socket', async () => {
    const store = await openKeyValueStore(join(dataDir, 'store'))
    try {
      const failure = await failureOf(run('account list'))
      expect(failure).to.be.instanceOf(ControlConnectionError)
      expect(failure.message).to.match(
        /in use by another process, but no process listens on .*control\.sock \(ENOENT\)/,
      )
    } finally {
      await store.close()
    }
  })

  describe('has a control socket that', () => {
    it('only its owner can open, and that is removed when the service stops', async () => {
      const service = await start()
      expect((await stat(socket)).mode & 0o777).to.equal(0o600)
      await service.stop()
      expect(await readdir(dataDir)).to.not.include('control.sock')
    })

    it('is opened without changing the umask', async () => {
      const before = process.umask(0o027)
      await start()
      expect(process.umask(before)).to.equal(0o027)
    })

    it('replaces a socket that a killed process left', async () => {
      const left = createServer().listen(socket)
      await new Promise((done) => left.once('listening', done))
      // Renamed away and back, the socket outlives the server, as after kill -9.
      await rename(socket, `${socket}.left`)
      await new Promise((done) => left.close(done))
      await rename(`${socket}.left`, socket)
      await start()
      expect(await sendControlRequest(socket, { command: 'list' })).to.deep.equal([])
    })

    it('does not replace a file of another kind', async () => {
      await writeFile(socket, 'mine')
      const store = await openKeyValueStore(join(dataDir, 'store'))
      try {
        const accounts = await loadAccounts(store, join(dataDir, 'token.key'), lowCost)
        expect(
          await failureOf(serveControl(socket, serviceRequests({ ...otherTargets, accounts }))),
        ).to.have.property('code', 'EADDRINUSE')
      } finally {
        await store.close()
      }
    })

    it('handles many requests at once', async () => {
      await start()
      const names = Array.from({ length: 20 }, (_, number) => `editor-${number}`)
      await Promise.all(
        names.map((name) =>
          sendControlRequest(socket, {
            command: 'add',
            name,
            password: 'secret',
            role: 'editor',
            only: [],
          }),
        ),
      )
      const listed = await sendControlRequest(socket, { command: 'list' })
      expect((listed as readonly Account[]).map(({ name }) => name)).to.have.members(names)
    })

    const garbage = [
      ['what is not JSON', 'hello\n'],
      ['what is no object', 'null\n'],
      ['an unknown command', '{"command":"constructor"}\n'],
      ['a field of another type', '{"command":"disable","name":{}}\n'],
      ['resources that are no list', '{"command":"add","only":"zines"}\n'],
      ['a label that is no text', '{"command":"revoke","name":"bob","label":1}\n'],
      ['a role that is no text', '{"command":"role","name":"bob","role":1,"only":[]}\n'],
      ['a line without an end', '{"command":"list"'],
      ['a line that is too long', 'x'.repeat(1024 * 1024)],
    ] as const
    for (const [what, sent] of garbage)
      it(`responds to ${what} with an error, and goes on`, async () => {
        const failures: Error[] = []
        await start((error) => failures.push(error))
        expect(JSON.parse(await talk(socket, sent))).to.have.key('failed')
        expect(failures).to.have.length(1)
        expect(await sendControlRequest(socket, { command: 'list' })).to.deep.equal([])
      })

    it('reports an error to the command and to the service', async () => {
      const failures: Error[] = []
      const { accounts } = await start((error) => failures.push(error))
      const full = new Error('the disk is full')
      accounts.disable = () => Promise.reject(full)
      const failure = await failureOf(run('account disable bob'))
      expect(failure).to.be.instanceOf(ExpectedError)
      expect(failure.message).to.equal('The service could not do it: the disk is full.')
      expect(failures).to.deep.equal([full])
    })

    it('finishes running requests when it is closed, and does not wait for idle connections', async () => {
      const service = await start()
      const silent = connect(socket)
      await new Promise((done) => silent.once('connect', done))
      const { promise: begun, resolve: begin } = later()
      const { promise: slow, resolve: finish } = later()
      service.accounts.disable = async () => {
        begin()
        await slow
        return {
          name: 'bob',
          role: 'viewer',
          restrictedTo: [],
          disabled: true,
          created: '',
          lastUsed: undefined,
          epoch: 1,
        }
      }
      const asked = sendControlRequest(socket, { command: 'disable', name: 'bob' })
      await begun
      const stopped = service.stop()
      finish()
      expect(await asked).to.have.property('name', 'bob')
      await stopped
      silent.destroy()
    })

    it('can be opened by a relative path when the absolute one is too long for a socket', async () => {
      const before = process.cwd()
      const deep = join(dataDir, 'd'.repeat(120))
      await mkdir(deep)
      const outside = dataDir
      try {
        process.chdir(deep)
        dataDir = deep
        socket = join(deep, 'control.sock')
        await start()
        expect(await readdir(deep)).to.include('control.sock')
        expect(await run('account list')).to.match(/^NAME/)
        await started?.stop()
        expect(await readdir(deep)).to.not.include('control.sock')
      } finally {
        process.chdir(before)
        dataDir = outside
      }
    })

    it('is an error when no path is short enough', async () => {
      const failure = await failureOf(
        sendControlRequest(join(dataDir, 'd'.repeat(120), 'control.sock'), { command: 'list' }),
      )
      expect(failure).to.be.instanceOf(ControlConnectionError)
      expect(failure.message).to.match(/too long for a socket/)
    })
  })
})

/** What the socket answers to what is sent, which is ended after it. */
function talk(socket: string, sent: string): Promise<string> {
  return new Promise((done, failed) => {
    let answer = ''
    connect(socket)
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('end', () => done(answer))
      .on('error', failed)
      .end(sent)
  })
}

function later() {
  let resolve!: () => void
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
