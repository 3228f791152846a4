// Files in the shape of real exports, each with what is right beside it. They are no part of the repository:
// CASE_FILES names the folder that has them.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

import { loadResources } from '../../../src/app/load-model.js'
import { mapRow } from '../../../src/features/imports/mapping/map-row.js'
import { proposeProfile } from '../../../src/features/imports/mapping/propose-profile.js'
import { recognize, rowsOf } from '../../lib/sources/files.js'

const folder = process.env.CASE_FILES ?? ''
const resources = await loadResources()

/** What is proposed for a file: its rows by the rules that are proposed, and what was told of them. */
async function readCase(test: Mocha.Context, file: string) {
  const path = join(folder, file)
  if (folder === '' || !existsSync(path)) test.skip()
  const recognized = await recognize(path)
  const rows = await rowsOf(path)
  const profile = proposeProfile(recognized, rows, resources)
  const mapped = rows.map((row) => mapRow(row, profile, resources))
  return {
    description: recognized.description,
    private: profile.rules.filter(({ to }) => to === 'private').map(({ from }) => from),
    titles: mapped.map(({ zine }) => zine.title?.[0]),
    otherTitles: mapped.map(({ zine }) => zine.alternative_title ?? []),
    names: mapped.map(({ names }) => names.map(({ name }) => name)),
    wikidata: mapped.map(({ names }) => names.map(({ wikidata }) => wikidata)),
    advice: mapped.map(({ zine, terms }) => [
      ...terms.filter(({ field }) => field === 'content_advice').map(({ code }) => code),
      ...(zine.content_advice_note ?? []),
    ]),
    terms: mapped.map(({ terms }) => terms.map(({ value }) => value)),
    issues: mapped.map(({ issues }) => issues.map(({ value, message }) => `${message} ${value}`)),
    texts: JSON.stringify(mapped),
    remarks: rows.map(({ remarks }) => remarks.map(({ kind }) => kind)),
  }
}

const title = (text: string): string =>
  folder === '' ? `${text} (skipped: CASE_FILES is not set)` : text

describe(title('cases of imports'), () => {
  it('have numbers of Goodreads that are no ISBN told, and each further author', async function () {
    const file = '02-goodreads-csv/goodreads_library_export.csv'
    const { names, issues, private: kept } = await readCase(this, file)
    expect(names[0]).to.include.members(['Rowan Quill', 'Ash Tern', 'Bee Sallow'])
    expect(issues[3]?.filter((one) => one.includes('no ISBN'))).to.have.length(2)
    expect(kept).to.include.members(['Private Notes', 'Recommended By', 'My Review'])
  })

  for (const ending of ['', '_utf16'])
    it(`have no reader of LibraryThing, and damage that is marked${ending}`, async function () {
      const file = `03-librarything-collections/librarything_export${ending}.tsv`
      const { texts, remarks, names, description } = await readCase(this, file)
      expect(texts).not.to.contain('K. Reader')
      expect(description).to.contain('names readers: Lending Patron')
      expect(remarks[2]).to.deep.equal(['damaged', 'damaged'])
      expect(names[2]).to.deep.equal(['Roub\uFFFDaud, J.'])
    })

  it('have content advice as terms where these are its words, else in its own words', async function () {
    const folder = '27-content-advice'
    const table = await readCase(this, `${folder}/advice.csv`)
    expect(table.advice).to.deep.equal([['self-harm', 'assault'], []])
    const { advice } = await readCase(this, `${folder}/advice.mrc`)
    expect(advice).to.deep.equal([
      ['Discusses self-harm and assault.'],
      [],
      ['Nudity on the cover.'],
    ])
  })

  it('have titles in their own script, also from an 880 without a link', async function () {
    const { titles, otherTitles } = await readCase(this, '10-marc-880-linking/linked.mrc')
    expect(titles).to.deep.equal(['이끼 편지', 'Tahav ironi', 'Tahav', 'Мох', 'Mokh'])
    expect(otherTitles[1]).to.deep.equal(['טחב עירוני'])
  })

  it('have UNIMARC that is named as such, without remarks on its leader', async function () {
    const { description, titles, remarks } = await readCase(this, '12-unimarc/unimarc.mrc')
    expect(description).to.equal('UNIMARC (ISO 2709), UTF-8')
    expect(titles).to.deep.equal(["L'agrafe et la mousse", 'La carta'])
    expect(remarks).to.deep.equal([[], []])
  })

  it('have a hidden column that is told and private', async function () {
    const file = '15-xlsx-1904-hidden-scientific/cellar.xlsx'
    const { description, private: kept } = await readCase(this, file)
    expect(description).to.contain('hidden: Donors, hidden columns: Price paid')
    expect(kept).to.deep.equal(['Price paid'])
  })

  it('have labels of Inventaire that are cut where the addresses say so', async function () {
    const file = '17-calibre-and-inventaire-csv/inventaire.csv'
    const { names, terms, wikidata } = await readCase(this, file)
    expect(names[0]).to.deep.equal(['Rowan Quill', 'Ash Tern'])
    expect(wikidata[0]).to.deep.equal(['Q42', undefined])
    expect(terms[0]).to.include("consciousness, Gödel's theorem, of 1931")
  })
})
