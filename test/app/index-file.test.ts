// The file with the indexes of all records: it is believed only when nothing was written since, and when the same
// program and vocabularies made it.

import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type SavedIndex, createIndexFile } from '../../src/app/index-file.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'

describe('the file of indexes', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  const file = () => join(directory, 'indexes')

  /** An index of texts. */
  function indexOf(texts: readonly string[]) {
    const content = [...texts]
    const index: SavedIndex = {
      async *save() {
        for (const text of content) yield await Promise.resolve({ text })
      },
      async restore(parts) {
        for await (const part of parts) content.push((part as { text: string }).text)
      },
    }
    return { index, content }
  }

  const failures: unknown[] = []

  async function open(dependsOn = 'vocabularies') {
    const store = await openKeyValueStore(join(directory, 'store'))
    const onError = (error: unknown) => failures.push(error)
    return { store, indexFile: await createIndexFile({ file: file(), store, dependsOn, onError }) }
  }

  /** Writes the file at the end of a process that wrote an entry. */
  async function write(texts: readonly string[]): Promise<void> {
    const { store, indexFile } = await open()
    await store.write([{ key: 'record/a', value: texts.join() }])
    await indexFile.write([indexOf(texts).index, indexOf(['end']).index], false)
    await store.close()
  }

  async function isCurrent(dependsOn?: string): Promise<boolean> {
    const { store, indexFile } = await open(dependsOn)
    const found = await indexFile.isCurrent()
    await store.close()
    return found
  }

  it('fills the indexes as they were', async () => {
    await write(['one', 'two'])
    const { store, indexFile } = await open()
    expect(await indexFile.isCurrent()).to.equal(true)
    const [first, second] = [indexOf([]), indexOf([])]
    expect(await indexFile.read([first.index, second.index])).to.equal(true)
    expect([first.content, second.content]).to.deep.equal([['one', 'two'], ['end']])
    await store.close()
  })

  it('is not believed after any write to the store', async () => {
    await write(['one'])
    expect(await isCurrent()).to.equal(true)
    const { store } = await open()
    await store.write([{ key: 'record/a', value: 'changed' }])
    await store.close()
    expect(await isCurrent()).to.equal(false)
  })

  it('is believed again when a process whose writes changed no record says so', async () => {
    await write(['one'])
    const before = await readFile(file())
    const { store, indexFile } = await open()
    const { index } = indexOf([])
    await indexFile.isCurrent()
    await indexFile.read([index, indexOf([]).index])
    await store.write([{ key: 'session/a', value: '{}' }])
    await indexFile.write([], true)
    await store.close()
    expect(await isCurrent()).to.equal(true)
    expect(await readFile(file())).to.deep.equal(before)
  })

  it('is not believed when it is damaged, cut short, of another time or missing', async () => {
    await write(['one'])
    const older = await readFile(file())
    await write(['two'])
    const content = await readFile(file())
    const damaged = Buffer.from(content)
    damaged[damaged.length - 3] = 255 - (damaged.at(-3) ?? 0)
    for (const wrong of [damaged, older]) {
      await writeFile(file(), wrong)
      expect(await isCurrent()).to.equal(false)
    }
    await writeFile(file(), content)
    expect(await isCurrent()).to.equal(true)
    await truncate(file(), content.length - 1)
    expect(await isCurrent()).to.equal(false)
    await rm(file())
    expect(await isCurrent()).to.equal(false)
  })

  it('is not believed with other vocabularies', async () => {
    await write(['one'])
    expect(await isCurrent('other vocabularies')).to.equal(false)
    expect(await isCurrent()).to.equal(true)
  })

  it('leaves the work to others when it cannot be read after all', async () => {
    await write(['one'])
    const { store, indexFile } = await open()
    await indexFile.isCurrent()
    await truncate(file(), 5)
    failures.length = 0
    expect(await indexFile.read([indexOf([]).index])).to.equal(false)
    expect(failures).to.have.length(1)
    await store.close()
  })
})
