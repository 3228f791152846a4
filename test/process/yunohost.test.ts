// The package for YunoHost: its scripts are run with stand-ins for what YunoHost gives them, and with the
// program itself.

import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { run, serve, withDirectory } from '../process.js'

const runProgram = promisify(execFile)
const folder = 'deploy/yunohost'

/** Each by its name without version: YunoHost has others of these, or fewer. */
const helpers = {
  ignored: [
    ...['ynh_script_progression', 'ynh_print_info', 'ynh_app_setting_set', 'ynh_systemctl'],
    ...['ynh_config_add_nginx', 'ynh_config_add_systemd', 'ynh_config_change_url_nginx'],
    ...['ynh_config_remove_nginx', 'ynh_config_remove_systemd', 'ynh_backup', 'ynh_restore'],
    // What only root can do, or a system with units.
    ...['chown', 'systemctl', 'yunohost'],
  ],
  written: `
ynh_die() { echo "$1" >&2; exit 1; }
ynh_hide_warnings() { "$@"; }
ynh_config_add() {
  local template destination
  for argument in "$@"; do
    case "$argument" in
      --template=*) template=\${argument#*=} ;;
      --destination=*) destination=\${argument#*=} ;;
    esac
  done
  sed "s|__DOMAIN__|$domain|; s|__PORT__|$port|; s|__DATA_DIR__|$data_dir|" \\
    "$package_dir/conf/$template" > "$destination"
}
npm() {
  mkdir -p node_modules/zine-catalogue/dist
  echo "import '$program'" > node_modules/zine-catalogue/dist/main.js
}
install() { cp "\${@: -2:1}" "\${@: -1}"; }
systemd-run() {
  while [[ "$1" == --* ]]; do shift; done
  env $(grep -v '^#' "$install_dir/settings.env") "$@"
}
`,
}

describe('the package for YunoHost', () => {
  it('has a manifest with what YunoHost asks for', async () => {
    const manifest = readToml(await readFile(`${folder}/manifest.toml`, 'utf8'))
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
    expect(manifest.get('packaging_format')).to.equal('2')
    expect(manifest.get('id')).to.match(/^"[a-z\d_]+"$/)
    expect(manifest.get('version')?.split('~ynh')[0]).to.equal(`"${version}`)
    for (const key of [
      'name',
      'description.en',
      'description.fr',
      'maintainers',
      'upstream.license',
    ])
      expect(manifest.get(key), key).not.to.equal(undefined)
    for (const key of ['yunohost', 'helpers_version', 'architectures', 'multi_instance', 'disk'])
      expect(manifest.get(`integration.${key}`), key).not.to.equal(undefined)
    expect(manifest.get('install.domain.full_domain')).to.equal('true')
    expect(manifest.get('resources.permissions.main.url')).to.equal('"/"')
  })

  it('has nginx do what the file for nginx does', async () => {
    const own = await linesOf(`${folder}/conf/nginx.conf`)
    const shared = await linesOf('deploy/nginx.conf')
    const port = (line: string): string => line.replace('__PORT__', '8000')
    expect(own.length).to.be.above(10)
    expect(own.filter((line) => !shared.includes(port(line)))).to.deep.equal([])
    const proxied = shared.slice(shared.indexOf('proxy_pass http://127.0.0.1:8000;'))
    expect(proxied.filter((line) => !own.map(port).includes(line))).to.deep.equal([])
  })

  it('confines the service as the unit for systemd does', async () => {
    const own = await linesOf(`${folder}/conf/systemd.service`)
    const unit = await linesOf('deploy/zine-catalogue.service')
    const confining = unit.filter((line) =>
      /^(?:No|Capability|Ambient|Protect|Private|Restrict|Remove|Lock|System|UMask|Proc)\w*=/.test(
        line,
      ),
    )
    expect(confining.length).to.be.above(15)
    expect(confining.filter((line) => !own.includes(line))).to.deep.equal(['ProtectHome=true'])
  })

  it('installs, upgrades, backs up, restores and moves a catalogue', async function () {
    this.timeout(120_000)
    await withDirectory(async (directory) => {
      const { script, dataDir } = await prepare(directory)
      const data = { DATA_DIR: join(dataDir, 'catalogue') }
      await script('install', 'package/scripts')
      expect((await run(['account', 'list'], data)).out).to.match(/^ada\s+admin/m)
      const zines = await run(['load', '--sample'], { ...data, BASE_URL: 'https://zines.example' })
      expect(zines.code, zines.err).to.equal(0)

      await script('backup', 'archive')
      expect(await readdir(join(directory, 'archive'))).to.deep.equal(['catalogue.gz'])
      await script('upgrade', 'package/scripts')
      await script('remove', 'package/scripts')
      await script('restore', 'archive')
      expect((await readdir(dataDir)).map((name) => name.replace(/\d.*$/, ''))).to.have.members([
        'catalogue',
        'catalogue-before-',
      ])
      await script('change_url', 'package/scripts')

      const service = await serve({
        ...data,
        BASE_URL: 'https://moved.example',
        SPARQL_WORKERS: '0',
      })
      const { count } = (await (await fetch(`${service.url}/api/zines/`)).json()) as {
        count: number
      }
      await service.end('SIGTERM')
      expect(count).to.be.above(10)
      expect(await readFile(join(directory, 'installed', 'settings.env'), 'utf8')).to.include(
        'BASE_URL=https://moved.example\n',
      )
    })
  })

  it('needs the package of the service', async () => {
    await withDirectory(async (directory) => {
      const { script } = await prepare(directory, { sources: [] })
      const failure = await script('install', 'package/scripts').then(
        () => '',
        (error: unknown) => String(error),
      )
      expect(failure).to.include('sources/zine-catalogue.tgz is missing')
    })
  })
})

/** A copy of the package, with the stand-ins, and what YunoHost gives to scripts. */
async function prepare(directory: string, { sources = ['zine-catalogue.tgz'] } = {}) {
  const packageDir = join(directory, 'package')
  const dataDir = join(directory, 'data')
  await cp(folder, packageDir, { recursive: true })
  for (const name of ['sources', 'archive', 'data', 'installed', 'node'])
    await mkdir(join(name === 'sources' ? packageDir : directory, name))
  for (const name of sources) await writeFile(join(packageDir, 'sources', name), '')
  await symlink(packageDir, join(directory, 'settings'))
  await symlink(process.execPath, join(directory, 'node', 'node'))
  const standIns = join(directory, 'helpers')
  const ignored = helpers.ignored.map((name) => `${name}() { :; }\n`).join('')
  await writeFile(standIns, `set -eu\n${ignored}${helpers.written}`)
  for (const name of await readdir(join(packageDir, 'scripts'))) {
    const path = join(packageDir, 'scripts', name)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('/usr/share/yunohost/helpers', standIns))
    await chmod(path, 0o755)
  }
  const env = {
    ...{
      PATH: process.env.PATH ?? '',
      package_dir: packageDir,
      program: resolve('build/src/main.js'),
    },
    ...{
      app: 'zine_catalogue',
      domain: 'zines.example',
      new_domain: 'moved.example',
      port: '8095',
    },
    ...{ install_dir: join(directory, 'installed'), data_dir: dataDir },
    ...{ nodejs_dir: join(directory, 'node'), admin: 'ada', password: 'a long pass phrase' },
  }
  return {
    dataDir,
    /** @param from the folder in which YunoHost runs it */
    script: (name: string, from: string) =>
      runProgram(join(packageDir, 'scripts', name), { cwd: join(directory, from), env }),
  }
}

/** The lines of a file without their indentation, comments and empty lines. */
const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** The keys of a file in the part of TOML that the manifest needs, each with its table, and their values as written. */
function readToml(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let table = ''
  for (const line of text.split('\n')) {
    const [, name] = /^\[([\w.]+)\]$/.exec(line) ?? []
    const [, key, value] = /^([\w.]+) = (".*"|\[.*\]|true|false|\d+)$/.exec(line) ?? []
    if (name !== undefined) table = `${name}.`
    else if (key !== undefined && value !== undefined) values.set(table + key, value)
    else if (line !== '' && !line.startsWith('#')) throw new Error(`no TOML of a manifest: ${line}`)
  }
  return values
}
