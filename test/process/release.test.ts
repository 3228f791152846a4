// `npm run release`: what it makes of a tagged commit, and what it refuses.

import { execFile } from 'node:child_process'
import {
  appendFile,
  cp,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

const runFile = promisify(execFile)

const version = '1.2.3'
const notes = 'Readers\n\n- Something new.\n'

describe('a release', function () {
  let copy: string

  const run = async (command: string, ...args: string[]): Promise<string> =>
    (await runFile(command, args, { cwd: copy, maxBuffer: 2 ** 26 })).stdout
  const git = (...args: string[]): Promise<string> =>
    run('git', '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args)
  const release = (...args: string[]): Promise<string> =>
    run('npm', 'run', '--silent', 'release', '--', ...args)

  const refusal = async (...args: string[]): Promise<string> => {
    const { error, stderr } = await release(...args).then(
      () => ({ error: undefined, stderr: '' }),
      // The cast: execFile rejects with what the program wrote.
      (error: unknown) => ({ error, stderr: (error as { readonly stderr: string }).stderr }),
    )
    expect(error).not.to.equal(undefined)
    return stderr.trim()
  }

  /** Commits everything, with the tag of the version. */
  async function commit(): Promise<void> {
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'Release')
    await git('tag', '--force', `v${version}`)
  }

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { files: string[] }
    const shipped = manifest.files.flatMap((path) =>
      path === 'dist' || path.startsWith('src/') ? [] : path,
    )
    for (const path of [
      '.gitignore',
      'packaging',
      'src',
      'package-lock.json',
      'README.md',
      'LICENSE',
      'tsconfig.json',
      ...shipped,
    ])
      await cp(path, join(copy, path), { recursive: true })
    await writeFile(join(copy, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2))
    await writeFile(
      join(copy, 'CHANGELOG.md'),
      `# Changelog\n\n## ${version} (2027-01-31)\n\n${notes}\n## 1.2.2 (2027-01-01)\n\nOld.\n`,
    )
    await symlink(resolve('node_modules'), join(copy, 'node_modules'))
    await git('init', '--quiet')
    await commit()
  })
  after(() => rm(copy, { recursive: true, force: true }))

  const contents = async (folder: string): Promise<Readonly<Record<string, string>>> => {
    const names = (await readdir(join(folder, 'release'))).sort()
    const read = async (name: string) =>
      [name, (await readFile(join(folder, 'release', name))).toString('latin1')] as const
    return Object.fromEntries(await Promise.all(names.map(read)))
  }

  it('has the package, what is in it, its notices and notes, and their sums', async () => {
    await release()
    const files = await contents(copy)
    expect(Object.keys(files)).to.deep.equal([
      'NOTES.md',
      'SHA256SUMS',
      'THIRD-PARTY-NOTICES',
      `zine-catalogue-${version}.cdx.json`,
      `zine-catalogue-${version}.tgz`,
    ])
    await runFile('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: join(copy, 'release'),
    })
    expect(files.SHA256SUMS?.trim().split('\n')).to.have.lengthOf(4)
    expect(files['NOTES.md']).to.equal(notes)
    const sbom = JSON.parse(files[`zine-catalogue-${version}.cdx.json`] ?? '')
    expect(sbom.bomFormat).to.equal('CycloneDX')
    expect(sbom.metadata.component).to.include({ name: 'zine-catalogue', version })
    const scopes = Object.fromEntries(
      sbom.components.map(({ name, scope }: any) => [name, scope]),
    ) as Record<string, string>
    expect(scopes).to.include({ koa: 'required', 'classic-level': 'required', sharp: 'optional' })
    expect(scopes).not.to.have.property('mocha')
    const packed = await run(
      'tar',
      '-xzOf',
      `release/zine-catalogue-${version}.tgz`,
      'package/package.json',
    )
    expect(JSON.parse(packed)).to.include({ version })
    const list = await run('tar', '-tzf', `release/zine-catalogue-${version}.tgz`)
    expect(list).to.include('package/dist/main.js')
  })

  it('is the same to the byte when it is made of the same commit in another folder', async () => {
    const first = await contents(copy)
    const other = `${copy}-again`
    await git('clone', '--quiet', '.', other)
    try {
      await symlink(resolve('node_modules'), join(other, 'node_modules'))
      await runFile('npm', ['run', '--silent', 'release'], { cwd: other })
      expect(await contents(other)).to.deep.equal(first)
    } finally {
      await rm(other, { recursive: true })
    }
  })

  it('is refused with changes that are not committed', async () => {
    await appendFile(join(copy, 'README.md'), 'More.\n')
    expect(await refusal()).to.equal('no release was made: the checkout has changes; commit them')
    await git('checkout', '--quiet', '.')
  })

  it('is refused with ignored files that would be shipped', async () => {
    await writeFile(join(copy, '.git/info/exclude'), '*.secret\n')
    await writeFile(join(copy, 'docs/keys.secret'), 'secret')
    expect(await refusal()).to.match(
      /would be shipped, and are not in the commit:\ndocs\/keys.secret$/,
    )
    await rm(join(copy, 'docs/keys.secret'))
  })

  it('is refused without the tag of its version', async () => {
    await git('tag', '--delete', `v${version}`)
    await git('tag', 'v1.2.4')
    expect(await refusal()).to.include(`the commit has no tag v${version}`)
    await git('tag', `v${version}`)
  })

  it('is refused for publishing without a repository', async () => {
    expect(await refusal('--publishable')).to.include('package.json names no repository')
  })

  const changelogs = {
    'has no section': ['## 1.2.2 (2027-01-01)\n', `CHANGELOG.md has no section ${version}`],
    'has no date': [`## ${version} (unreleased)\n`, `CHANGELOG.md gives ${version} no date`],
    'has a section of a longer number': [`## ${version}4 (2027-01-01)\n`, 'has no section'],
  } as const

  for (const [what, [text, message]] of Object.entries(changelogs))
    it(`is refused where the changelog ${what}`, async () => {
      await writeFile(join(copy, 'CHANGELOG.md'), `# Changelog\n\n${text}`)
      await commit()
      expect(await refusal()).to.include(message)
    })
})
