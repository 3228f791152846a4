// Reads the settings from environment variables: docs/reference/settings.md, "Settings". A bad
// value stops the start with a line that names the variable and the values it takes.

import { readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { ExpectedError } from './errors.js'

export type Rate = { readonly requests: number; readonly seconds: number; readonly text: string }

export type Config = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** The base of every IRI, without a slash at the end. */
  readonly baseUrl: string
  /** Whether BASE_URL is set; else the base URL is made from the port. */
  readonly isBaseUrlSet: boolean
  readonly dataDir: string
  /** Whether this is a demonstration, to which everybody may write. */
  readonly demo: boolean
  readonly admin: { readonly name: string; readonly password: string } | undefined
  readonly throttle: { readonly anon: Rate | undefined; readonly user: Rate | undefined }
  /** The origins whose scripts may read responses (CORS); undefined for all. */
  readonly corsOrigins: readonly string[] | undefined
  /** Whether the X-Forwarded-* headers of the nearest proxy are used. */
  readonly trustProxy: boolean
  /** The seconds without use after which a browser is logged out. */
  readonly sessionIdle: number
  /** How many days the history of records is kept; Infinity for ever. */
  readonly historyKeepDays: number
  /** The folder of backups that the service makes by itself; undefined where it makes none. */
  readonly backups: BackupConfig | undefined
  /** How many monthly releases of the data are kept for download. */
  readonly snapshots: number
  readonly logLevel: (typeof logLevels)[number]
  /** Hosts of private networks from which records may be harvested. */
  readonly importHosts: readonly string[]
  /** Whether changes are sent to the webhooks of accounts. */
  readonly webhooks: boolean
  /** Hosts of private networks to which they may be sent. */
  readonly webhookHosts: readonly string[]
  /** Who may read /metrics: nobody, this machine and accounts, or everybody. */
  readonly metrics: (typeof audiences)[number]
  /** What pages, feeds and descriptions call this catalogue. */
  readonly siteName: string
  /** Who publishes the data; the name of the catalogue where it is not set. */
  readonly publisher: string
  /** How often the data change, as the dataset description says it. */
  readonly updateFrequency: UpdateFrequency
  /** The address of the licence under which the data may be used. */
  readonly license: string
  /** The URL at which those who run the catalogue can be reached, also a `mailto:` one. */
  readonly contact: string | undefined
  /** The MARC code of the organization; empty where it has none. */
  readonly marcOrgCode: string
  readonly sparql: {
    /**
     * The number of threads for queries, each with its own copy of the public data; 0 for no
     * endpoint.
     */
    readonly workers: number
    /** In seconds. */
    readonly timeout: number
    /** The limits of a response. */
    readonly rows: number
    readonly bytes: number
  }
  /** Where queries run: in the embedded store, or in a remote SPARQL store. */
  readonly store: 'embedded' | RemoteStoreConfig
  /** Whether lists of the embedded store are answered by an index in memory; else by SPARQL. */
  readonly listIndex: boolean
  /** Whether a process that only reads keeps a copy of all records in a file. */
  readonly recordFile: boolean
  /** The origin of the writing process, when this process only reads. */
  readonly writer: string | undefined
}

export type BackupConfig = {
  readonly directory: string
  /** In milliseconds; undefined where they are made by hand alone. */
  readonly every: number | undefined
  /** How many are kept. */
  readonly keep: number
}

export type RemoteStoreConfig = {
  readonly query: string
  readonly update: string
  readonly credentials: { readonly user: string; readonly password: string } | undefined
  /** The longest time for a response, in seconds. */
  readonly timeout: number
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const audiences = ['off', 'local', 'open'] as const

const updateFrequencies = [
  'continuous',
  'daily',
  'weekly',
  'monthly',
  'quarterly',
  'annual',
  'irregular',
] as const

type UpdateFrequency = (typeof updateFrequencies)[number]

type Environment = Readonly<Record<string, string | undefined>>

/** @throws ExpectedError that names the variable and the values it takes */
export function readConfig(env: Environment): Config {
  const parse = parserOf(env)
  return forDemo(env, {
    ...serverSettings(env, parse),
    backups: backupSettings(env, parse),
    ...datasetSettings(parse),
    snapshots: parse('SNAPSHOTS', '12', toCount(0, 1000), 'a number from 0 to 1000'),
    sparql: sparqlSettings(parse),
    listIndex: parse('LIST_INDEX', 'on', toSwitch, 'on or off'),
    recordFile: parse('RECORD_FILE', 'on', toSwitch, 'on or off'),
    ...toStores(env, parse),
  })
}

/**
 * A demonstration has no administrator, sends nothing to other services, and limits the requests of
 * each visitor.
 * @throws ExpectedError
 */
function forDemo(env: Environment, config: Config): Config {
  if (!config.demo) return config
  for (const name of ['ADMIN_USERNAME', 'STORE', 'WEBHOOKS'])
    if (env[name]?.trim()) throw new ExpectedError(`${name} is set, but DEMO=on takes none`)
  const { anon = demoRate, user = demoRate } = config.throttle
  return { ...config, throttle: { anon, user } }
}

const demoRate: Rate = { requests: 240, seconds: 60, text: '240/minute' }

function serverSettings(env: Environment, parse: Parse) {
  const port = parse('PORT', '8000', toPort, 'a number from 0 to 65535')
  return {
    host: parse('HOST', '127.0.0.1', toText, hostSyntax),
    port,
    baseUrl: parse(
      'BASE_URL',
      `http://localhost:${port}`,
      toBase,
      'an http or https URL without query and fragment, like https://zines.example.org',
    ),
    isBaseUrlSet: (env.BASE_URL ?? '').trim() !== '',
    dataDir: parse('DATA_DIR', './data', toDirectory, 'a directory'),
    demo: parse('DEMO', 'off', toSwitch, 'on or off'),
    admin: toAdmin(env),
    throttle: {
      anon: parse('THROTTLE_ANON', '', toRate, rateSyntax),
      user: parse('THROTTLE_USER', '', toRate, rateSyntax),
    },
    corsOrigins: parse(
      'CORS_ORIGINS',
      '*',
      toOrigins,
      '*, or origins joined by commas, like https://zines.example.org',
    ),
    trustProxy: parse('TRUST_PROXY', 'false', toBoolean, 'true or false'),
    sessionIdle: parse('SESSION_IDLE', '8h', toDuration, 'a time from 1m to 7d, like 30m or 8h'),
    historyKeepDays: parse(
      'HISTORY_KEEP',
      'forever',
      toDays,
      'forever, or a number of days like 365d',
    ),
    logLevel: parse('LOG_LEVEL', 'info', toLogLevel, logLevels.join(', ')),
    importHosts: parse(
      'IMPORT_HOSTS',
      '',
      toHosts,
      'names of hosts joined by commas, like catalogue.local,10.0.0.7',
    ),
    webhooks: parse('WEBHOOKS', 'off', toSwitch, 'on or off'),
    webhookHosts: parse(
      'WEBHOOK_HOSTS',
      '',
      toHosts,
      'names of hosts joined by commas, like catalogue.local,10.0.0.7',
    ),
    metrics: parse('METRICS', 'local', toAudience, audiences.join(', ')),
  }
}

function backupSettings(env: Environment, parse: Parse): BackupConfig | undefined {
  const directory = parse('BACKUP_DIR', '', toDirectory, 'a directory')
  const every = parse('BACKUP_EVERY', '1d', toPeriod, 'hours or days like 12h or 1d, or off')
  const keep = parse('BACKUP_KEEP', '7', toCount(1, 1000), 'a number from 1 to 1000')
  if (directory !== '') return { directory, every, keep }
  for (const name of ['BACKUP_EVERY', 'BACKUP_KEEP'])
    if (env[name]?.trim())
      throw new ExpectedError(`${name} is set, but BACKUP_DIR is not; it takes a directory`)
  return undefined
}

function datasetSettings(parse: Parse) {
  const marcOrgCode = parse(
    'MARC_ORG_CODE',
    '',
    toMarcOrgCode,
    'a code of the MARC Code List for Organizations, like PL-LoZ',
  )
  const siteName = parse('SITE_NAME', defaultSiteName, toName, nameSyntax)
  return {
    marcOrgCode,
    siteName,
    publisher: parse('DATASET_PUBLISHER', siteName, toName, nameSyntax),
    updateFrequency: parse(
      'DATASET_FREQUENCY',
      'irregular',
      toUpdateFrequency,
      updateFrequencies.join(', '),
    ),
    license: parse(
      'DATASET_LICENSE',
      'https://creativecommons.org/publicdomain/zero/1.0/',
      toWebAddress,
      'the http or https URL of a licence',
    ),
    contact: parse(
      'CONTACT',
      '',
      toContact,
      'an e-mail address or an http or https URL, like zines@example.org',
    ),
  }
}

function sparqlSettings(parse: Parse) {
  return {
    workers: parse('SPARQL_WORKERS', defaultWorkers(), toCount(0, 64), 'a number from 0 to 64'),
    timeout: parse('SPARQL_TIMEOUT', '30', toCount(1, 3600), 'seconds, from 1 to 3600'),
    rows: parse('SPARQL_MAX_ROWS', '50000', toCount(1, 10_000_000), 'a number from 1 to 10000000'),
    bytes: parse(
      'SPARQL_MAX_BYTES',
      String(16 * 1024 * 1024),
      toCount(1, 256 * 1024 * 1024),
      'a number from 1 to 268435456',
    ),
  }
}

/** The paths inside a data directory. */
export const dataFiles = (dataDir: string) => ({
  store: join(dataDir, 'store'),
  indexes: join(dataDir, 'indexes'),
  records: join(dataDir, 'records'),
  tokenKey: join(dataDir, 'token.key'),
  control: join(dataDir, 'control.sock'),
  vocabularies: join(dataDir, 'vocabularies'),
  imports: join(dataDir, 'imports'),
  catalogues: join(dataDir, 'catalogues.json'),
  site: join(dataDir, 'site'),
  pictures: join(dataDir, 'pictures'),
  queries: join(dataDir, 'queries'),
  releases: join(dataDir, 'releases'),
})

const invalid = Symbol('not a value that the variable takes')

/** Reads a variable. @param takes what the error says of the values that the variable takes */
type Parse = <Setting>(
  name: string,
  defaultValue: string,
  read: (value: string) => Setting | typeof invalid,
  takes: string,
) => Setting

const parserOf =
  (env: Environment): Parse =>
  (name, defaultValue, read, takes) => {
    const value = env[name]?.trim() ?? ''
    const setting = read(value === '' ? defaultValue : value)
    if (setting === invalid) throw new ExpectedError(messageFor(name, value, takes))
    return setting
  }

const messageFor = (name: string, value: string, takes: string): string =>
  `${name} is ${JSON.stringify(value)}; it takes ${takes}`

const hostSyntax = 'a host name or address of this machine'

/** The error for a host where nothing can listen. */
export const hostError = ({ host }: Pick<Config, 'host'>): ExpectedError =>
  new ExpectedError(messageFor('HOST', host, hostSyntax))

/** A directory, or what may become one. */
function toDirectory(path: string): string | typeof invalid {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false ? invalid : path
  } catch {
    // A part of the path is a file.
    return invalid
  }
}

const toText = (value: string): string => value

const defaultSiteName = 'Zine Catalogue'

const nameSyntax = 'a name of at most 100 characters'

const toName = (value: string): string | typeof invalid =>
  /^[^\p{C}]{1,100}$/u.test(value) ? value : invalid

const toUpdateFrequency = (value: string): UpdateFrequency | typeof invalid =>
  updateFrequencies.find((frequency) => frequency === value) ?? invalid

const toPort = (value: string): number | typeof invalid =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65535 ? Number(value) : invalid

// Each worker has its own copy of the data, so there are two only where there are processors for
// them.
const defaultWorkers = (): string => (availableParallelism() >= 4 ? '2' : '1')

const toCount =
  (min: number, max: number) =>
  (value: string): number | typeof invalid => {
    const count = /^\d{1,9}$/.test(value) ? Number(value) : NaN
    return count >= min && count <= max ? count : invalid
  }

function toBase(value: string): string | typeof invalid {
  if (!URL.canParse(value)) return invalid
  const url = new URL(value)
  const isBase =
    ['http:', 'https:'].includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  return isBase ? url.href.replace(/(?<!\/)\/+$/, '') : invalid
}

const toWebAddress = (value: string): string | typeof invalid =>
  /^https?:\/\/[^\s<>"{}|\\^`]+$/.test(value) && URL.canParse(value) ? value : invalid

const emailAddress = /^[\w.+'-]+@[\w-]+(?:\.[\w-]+)*$/

function toContact(value: string): string | undefined | typeof invalid {
  if (value === '') return undefined
  const address = value.replace(/^mailto:/i, '')
  if (address.length <= 254 && emailAddress.test(address)) return `mailto:${address}`
  return toWebAddress(value)
}

const rateSyntax = 'a number of requests for each second, minute, hour or day, like 100/hour'

const periods = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

// Like Django REST framework, only the first letter of the period counts: 100/hour, 100/h and
// 100/hr are the same.
function toRate(value: string): Rate | undefined | typeof invalid {
  if (value === '') return undefined
  const match = /^([1-9]\d{0,8})\/([smhd])[a-z]*$/.exec(value)
  const seconds = periods.get(match?.[2] ?? '')
  return match && seconds ? { requests: Number(match[1]), seconds, text: value } : invalid
}

const maxSessionSeconds = 7 * 86_400

/** Days; at least one, so that what was deleted by mistake can be restored. */
function toDays(text: string): number | typeof invalid {
  if (text === 'forever') return Infinity
  const [, digits] = /^(\d{1,5})d$/.exec(text) ?? []
  return digits !== undefined && Number(digits) > 0 ? Number(digits) : invalid
}

function toDuration(value: string): number | typeof invalid {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(value) ?? []
  const seconds = Number(count) * (periods.get(unit) ?? NaN)
  return seconds <= maxSessionSeconds ? seconds : invalid
}

/** Hours or days, in milliseconds; undefined for never. */
function toPeriod(value: string): number | undefined | typeof invalid {
  if (value === 'off') return undefined
  const [, count, unit = ''] = /^([1-9]\d{0,3})([hd])$/.exec(value) ?? []
  return count === undefined ? invalid : Number(count) * (periods.get(unit) ?? NaN) * 1000
}

function toOrigins(value: string): readonly string[] | undefined | typeof invalid {
  if (value === '*') return undefined
  const origins = value.split(',').map((origin) => origin.trim())
  const isOrigin = (origin: string): boolean =>
    URL.canParse(origin) && new URL(origin).origin === origin
  return origins.every(isOrigin) ? origins : invalid
}

const toBoolean = (value: string): boolean | typeof invalid =>
  new Map([
    ['true', true],
    ['false', false],
  ]).get(value.toLowerCase()) ?? invalid

const toSwitch = (value: string): boolean | typeof invalid =>
  new Map([
    ['on', true],
    ['off', false],
  ]).get(value) ?? invalid

const toLogLevel = (value: string): Config['logLevel'] | typeof invalid =>
  logLevels.find((level) => level === value) ?? invalid

const toAudience = (value: string): Config['metrics'] | typeof invalid =>
  audiences.find((audience) => audience === value) ?? invalid

function toAdmin(env: Environment): Config['admin'] {
  const [name, password] = toPair(withPasswordOfFile(env), 'ADMIN_USERNAME', 'ADMIN_PASSWORD') ?? []
  return name === undefined || password === undefined ? undefined : { name, password }
}

const passwordFile = 'ADMIN_PASSWORD_FILE'

/** The environment with ADMIN_PASSWORD, also where it is in a file, as secrets of containers are. */
function withPasswordOfFile(env: Environment): Environment {
  const file = env[passwordFile]?.trim() ?? ''
  if (file === '') return env
  if (env.ADMIN_PASSWORD)
    throw new ExpectedError(`ADMIN_PASSWORD and ${passwordFile} are set; set one of them`)
  try {
    const [password] = readFileSync(file, 'utf8').split(/\r?\n/, 1)
    return { ...env, ADMIN_PASSWORD: password }
  } catch (cause) {
    throw new ExpectedError(`${passwordFile}: ${(cause as Error).message}`, { cause })
  }
}

/** A user name and its password: both are set, or neither. */
function toPair(
  env: Environment,
  user: string,
  secret: string,
): readonly [name: string, password: string] | undefined {
  const name = env[user]?.trim() ?? ''
  const password = env[secret] ?? ''
  if (name === '' && password === '') return undefined
  if (name === '')
    throw new ExpectedError(`${secret} is set, but ${user} is not; they need each other`)
  if (password === '')
    throw new ExpectedError(`${user} is set, but ${secret} is not; they need each other`)
  return [name, password]
}

function toStores(env: Environment, parse: Parse): Pick<Config, 'store' | 'writer'> {
  const address = parse('STORE', 'embedded', toStore, `embedded, or ${endpointSyntax}`)
  const update = parse('STORE_UPDATE', address, toStore, endpointSyntax)
  const timeout = parse('STORE_TIMEOUT', '30', toCount(1, 3600), 'seconds, from 1 to 3600')
  const credentials = toPair(env, 'STORE_USER', 'STORE_PASSWORD')
  const writer = parse('WRITER', '', toOrigin, 'the http or https origin of the writer')
  if (address !== 'embedded')
    return {
      store: {
        query: address,
        update,
        credentials: credentials && { user: credentials[0], password: credentials[1] },
        timeout,
      },
      writer,
    }
  for (const name of ['STORE_UPDATE', 'STORE_USER', 'STORE_PASSWORD', 'STORE_TIMEOUT', 'WRITER'])
    if (env[name]?.trim())
      throw new ExpectedError(`${name} is set, but STORE is not; it takes ${endpointSyntax}`)
  return { store: 'embedded', writer: undefined }
}

const endpointSyntax =
  'the http or https URL of a SPARQL endpoint, without user and password, like http://localhost:3030/zines/sparql'

function toStore(value: string): string | typeof invalid {
  if (value === 'embedded') return value
  if (toWebAddress(value) === invalid) return invalid
  const { username, password, hash } = new URL(value)
  return username || password || hash ? invalid : value
}

const toHosts = (value: string): readonly string[] | typeof invalid => {
  const hosts = value
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '')
  return hosts.every((host) => /^[\w.:[\]-]{1,253}$/.test(host)) ? hosts : invalid
}

const toMarcOrgCode = (value: string): string | typeof invalid =>
  /^[A-Za-z0-9-]{0,16}$/.test(value) ? value : invalid

function toOrigin(value: string): string | undefined | typeof invalid {
  if (value === '') return undefined
  const isOrigin =
    /^https?:/.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value.replace(/\/$/, '')
  return isOrigin ? value.replace(/\/$/, '') : invalid
}
