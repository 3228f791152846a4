// SITE_NAME and its like, and the files of an institution: which are taken, and what becomes of Markdown.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { ExpectedError } from '../../src/errors.js'
import { renderMarkdown } from '../../src/branding/markdown.js'
import { readSiteFiles } from '../../src/branding/site-files.js'
import { readConfig } from '../../src/config.js'
import { pngPixel } from '../examples.js'

describe('SITE_NAME', () => {
  it('is the name of the publisher too, unless that has its own', () => {
    expect(readConfig({})).to.include({ siteName: 'Zine Catalogue', publisher: 'Zine Catalogue' })
    expect(readConfig({ SITE_NAME: ' Zinothek ' })).to.include({
      siteName: 'Zinothek',
      publisher: 'Zinothek',
    })
    const named = { SITE_NAME: 'Zinothek', DATASET_PUBLISHER: 'Friends e. V.' }
    expect(readConfig(named).publisher).to.equal('Friends e. V.')
  })

  it('takes no line breaks and at most 100 characters', () => {
    for (const value of ['a\nb', 'x'.repeat(101)])
      expect(() => readConfig({ SITE_NAME: value })).to.throw('SITE_NAME is ')
    expect(() => readConfig({ DATASET_FREQUENCY: 'often' })).to.throw(
      'DATASET_FREQUENCY is "often"; it takes continuous, daily',
    )
  })
})

describe('Markdown', () => {
  it('has its first heading as the title, and the rest as HTML', () => {
    expect(renderMarkdown('# About *us*\n\nWe *collect*.\n\n## Where\n')).to.deep.equal({
      title: 'About us',
      html: '<p>We <em>collect</em>.</p>\n<h2>Where</h2>\n',
    })
    expect(renderMarkdown('No heading.').title).to.equal(undefined)
  })

  it('becomes no HTML of its own, no image and no address that runs a script', () => {
    const text = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) [d](JaVaScRiPt:x)',
      '![e](https://example.org/e.png)',
      '[f](https://example.org/"onclick="alert(1))',
    ].join('\n\n')
    const { html } = renderMarkdown(text)
    expect(html).not.to.match(/<(?:script|img)|href="(?!https:)|" ?onclick/i)
    expect(html).to.include('&lt;script&gt;')
  })

  it('links what is meant, without telling search engines to ignore it', () => {
    const { html } = renderMarkdown('[Us](https://example.org) and zines@example.org, not a.b')
    expect(html).to.equal(
      '<p><a href="https://example.org">Us</a> and ' +
        '<a href="mailto:zines@example.org">zines@example.org</a>, not a.b</p>\n',
    )
  })
})

describe('the files of an institution', () => {
  let directory = ''

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  const write = (name: string, content: string | Buffer) =>
    writeFile(join(directory, name), content)

  const failure = async (): Promise<string> => {
    const error = await readSiteFiles(directory).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(ExpectedError)
    return (error as Error).message
  }

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

  it('need not be there', async () => {
    const none = { logo: undefined, about: undefined }
    expect(await readSiteFiles(directory)).to.deep.equal(none)
    expect(await readSiteFiles(join(directory, 'none'))).to.deep.equal(none)
  })

  it('are a logo in SVG or PNG and a text', async () => {
    await write('logo.svg', svg)
    await write('about.md', '# Us\n')
    const files = await readSiteFiles(directory)
    expect(files.logo).to.include({ name: 'logo.svg', type: 'image/svg+xml' })
    expect(files.about?.title).to.equal('Us')
    await rm(join(directory, 'logo.svg'))
    await write('logo.png', pngPixel)
    expect((await readSiteFiles(directory)).logo?.type).to.equal('image/png')
  })

  it('are refused by name if they are not what their names say', async () => {
    for (const content of ['<html/>', '<svg/>', `${svg}<x>`, '', '\x89PNG'])
      await write('logo.svg', content).then(async () =>
        expect(await failure()).to.match(/logo\.svg: is no SVG image/),
      )
    await rm(join(directory, 'logo.svg'))
    await write('logo.png', svg)
    expect(await failure()).to.match(/logo\.png: is no PNG image$/)
    await write('logo.png', pngPixel)
    await write('about.md', Buffer.from([0xff, 0xfe]))
    expect(await failure()).to.match(/about\.md: is not UTF-8$/)
  })

  it('are refused if they are two logos, too large, or no files', async () => {
    await write('logo.svg', svg)
    await write('logo.png', pngPixel)
    expect(await failure()).to.match(/only one can be shown$/)
    await rm(join(directory, 'logo.png'))
    await write('logo.svg', svg + ' '.repeat(512 * 1024))
    expect(await failure()).to.match(/logo\.svg: is larger than 512 KiB/)
    await rm(join(directory, 'logo.svg'))
    await mkdir(join(directory, 'about.md'))
    expect(await failure()).to.match(/about\.md: cannot be read \(EISDIR\)$/)
  })
})
