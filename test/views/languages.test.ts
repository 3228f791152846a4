// The languages of pages: which one a page has, that none of its texts is in another, and that data have none.

import { expect } from 'chai'

import type { Messages } from '../../src/messages/messages.js'
import { readMessages } from '../../src/messages/translator.js'
import { agent, holding, repository, zine } from '../examples.js'
import { unique, useCatalogue } from '../http/catalogue.js'
import { useService } from '../service.js'
import {
  ACCEPT,
  type Browser,
  type Fields,
  browse,
  csrfOn,
  formOn,
  read,
  textsOn,
} from './browser.js'

const languageOf = (text: string): string | undefined => read(text).attributes.lang

describe('the language of a page', () => {
  const { service } = useCatalogue()

  const look = (acceptLanguage: string, path = '/api/zines/') =>
    service().get(path, { headers: { accept: ACCEPT, 'accept-language': acceptLanguage } })

  for (const [accepted, language] of [
    ['es', 'es'],
    ['fr-CA,en;q=0.8', 'fr'],
    ['de, fr;q=0.5, en;q=0.7', 'en'],
    ['de', 'en'],
    ['*', 'en'],
    ['es;q=0, fr;q=0.1', 'fr'],
    ['not a language ;;;', 'en'],
  ] as const)
    it(`is ${language} for a browser that prefers ${accepted}`, async () => {
      const { headers, text } = await look(accepted)
      expect(languageOf(text)).to.equal(language)
      expect(headers.get('content-language')).to.equal(language)
    })

  it('depends on what Vary says', async () => {
    const { headers } = await look('es')
    const vary = (headers.get('vary') ?? '').split(', ')
    expect(vary).to.include.members(['Accept', 'Accept-Language', 'Cookie'])
  })

  it('is chosen by a link, remembered, and stronger than what the browser prefers', async () => {
    const browser = browse(service().url)
    const { status, headers } = await browser.get('/api/zines/?q=soup&lang=es')
    expect([status, headers.get('location')]).to.deep.equal([302, '/api/zines/?q=soup'])
    expect(headers.get('set-cookie')).to.match(/^zine_language=es; .*samesite=lax; httponly$/i)
    const { text } = await browser.get('/api/zines/', { 'accept-language': 'fr' })
    expect(languageOf(text)).to.equal('es')
    await browser.get('/api/zines/?lang=en')
    expect(languageOf((await browser.get('/api/', { 'accept-language': 'fr' })).text)).to.equal(
      'en',
    )
  })

  it('is not changed by a link to a language that pages do not have', async () => {
    const { status, headers } = await look('es', '/dataset?lang=xx')
    expect([status, headers.get('set-cookie')]).to.deep.equal([200, null])
    expect(headers.get('content-language')).to.equal('es')
  })

  it('is not taken from a cookie with anything else in it', async () => {
    const browser = browse(service().url)
    browser.cookies.set('zine_language', '__proto__')
    expect(languageOf((await browser.get('/api/zines/')).text)).to.equal('en')
  })

  it('leads to the same page on the same host only', async () => {
    const { status, headers } = await look('en', '//example.org/?lang=es')
    expect([status, headers.get('location')]).to.deep.equal([404, null])
  })

  it('has a link to each, and says which one the page has', async () => {
    const { text } = await look('fr', '/api/zines/?q=soup')
    const links = read(text)
      .all('nav', 'languages')
      .flatMap((nav) => nav.all('a'))
    expect(
      links.map((link) => [link.text, link.attributes.lang, link.attributes.href]),
    ).to.deep.equal([
      ['English', 'en', '/api/zines/?q=soup&lang=en'],
      ['Español', 'es', '/api/zines/?q=soup&lang=es'],
      ['Français', 'fr', '/api/zines/?q=soup&lang=fr'],
    ])
    const current = links.filter((link) => link.attributes['aria-current'] !== undefined)
    expect(current.map((link) => link.text)).to.deep.equal(['Français'])
  })

  it('is that of an error too', async () => {
    const { status, text, headers } = await look('es', '/nowhere')
    expect([status, languageOf(text)]).to.deep.equal([404, 'es'])
    expect(text).to.include(spanish.get('Not found'))
    expect(headers.get('vary')).to.include('Accept-Language')
    const { text: asked } = await look('en', '/nowhere?lang=fr')
    expect(languageOf(asked)).to.equal('fr')
  })

  it('has a tag of its own', async () => {
    const tags = await Promise.all(
      ['en', 'es', 'fr'].map(async (one) => (await look(one, '/dataset')).headers.get('etag')),
    )
    expect(new Set(tags).size).to.equal(3)
    const { status } = await service().get('/dataset', {
      headers: { accept: ACCEPT, 'accept-language': 'es', 'if-none-match': tags[0] ?? '' },
    })
    expect(status).to.equal(200)
  })
})

describe('the API', () => {
  const { service, given } = useCatalogue()

  for (const path of [
    '/api/zines/',
    '/api/zines/facets/?facet=language,decade',
    '/api/geography/countries/FR/',
    '/api/vocabularies/access-status/',
    '/explore?rows=language&columns=decade',
    '/map',
    '/dataset',
    '/api/zines/nowhere/',
    '/api/zines/?page=1000',
  ])
    it(`answers ${path} in English, whatever language is asked for`, async () => {
      await given.zine({ zine_id: unique('zine'), language: ['fr'], date: ['1994'] })
      const ask = (headers: Readonly<Record<string, string>>) =>
        service().get(path, { headers: { accept: 'application/json', ...headers } })
      const [plain, spoken] = [
        await ask({}),
        await ask({ 'accept-language': 'es', cookie: 'zine_language=fr' }),
      ]
      expect(spoken.text).to.equal(plain.text)
      expect(spoken.headers.get('vary')).to.equal(plain.headers.get('vary'))
      expect(spoken.headers.get('content-language')).to.equal(null)
    })

  it('does not know the parameter of the links', async () => {
    const { status, headers } = await service().get('/api/zines/?lang=es')
    expect([status, headers.get('x-ignored-parameters')]).to.deep.equal([200, 'lang'])
  })
})

/** Texts that are the same in two languages by chance are no mistakes. */
const isUntranslated = (messages: Messages, text: string): boolean =>
  messages.has(text) && messages.get(text) !== text

const spanish = readMessages('es')

const french = readMessages('fr')

const translations = { es: spanish, fr: french } as const

describe('pages in other languages', () => {
  const { service, given } = useCatalogue()
  const id = unique('spoken')

  before(async () => {
    await given.zine({
      zine_id: id,
      title: id,
      language: ['fr'],
      date: ['1994'],
      rights: ['copyleft'],
      place_of_publication: ['Paris, France'],
    })
    await given.repository({ repo_id: id, repository_name: id, country: 'DE', city: 'Berlin' })
    await given.holding({ holding_id: id, zine_id: id, repository_id: id })
  })

  for (const path of [
    '/api/',
    '/api/zines/',
    `/api/zines/?q=${id}&decade=1990&language=fr`,
    '/api/zines/?q=nothing-at-all',
    '/api/agents/',
    '/api/repositories/',
    '/api/holdings/',
    `/api/zines/${id}/`,
    `/api/repositories/${id}/`,
    `/api/holdings/${id}/`,
    `/api/zines/${id}/citations/`,
    '/api/search/',
    `/api/search/?q=${id}`,
    '/makers',
    '/map',
    '/series',
    '/explore?rows=language&columns=decade',
    '/explore?rows=access&columns=none',
    '/dataset',
    '/about/privacy',
    '/sparql',
    '/api/vocabularies/',
    '/api/vocabularies/rights-status/',
    '/api/vocabularies/rights-status/copyleft/',
    '/api/geography/',
    '/api/geography/countries/',
    '/api/geography/countries/DE/',
    '/api/geography/places/',
    '/api/geography/places/3017382/',
    '/nowhere',
  ])
    for (const [language, messages] of Object.entries(translations))
      it(`have no English text on ${path.replaceAll(id, '…')} in ${language}`, async () => {
        const { text } = await service().get(path, {
          headers: { accept: ACCEPT, 'accept-language': language },
        })
        expect(languageOf(text)).to.equal(language)
        // Drawn covers have the lines of titles, which are words of their records.
        const shown = text.replaceAll(/<div class="cover [^"]*drawn.*?<\/svg>/gs, '')
        const english = textsOn(shown).filter((one) => isUntranslated(messages, one))
        expect(english).to.deep.equal([])
      })

  it('name countries, languages and codes in the language', async () => {
    const look = async (path: string, language: string) =>
      (await service().get(path, { headers: { accept: ACCEPT, 'accept-language': language } })).text
    expect(await look(`/api/repositories/${id}/`, 'es')).to.include('Alemania')
    expect(await look(`/api/zines/${id}/`, 'es')).to.include('>Francés<')
    expect(await look('/api/zines/?language=fr', 'fr')).to.include('Fanzines en français')
    expect(await look('/api/geography/places/3017382/', 'es')).to.include('<h1>Francia</h1>')
    expect(await look('/api/vocabularies/access-status/', 'fr')).to.include(
      'Consultation sur place',
    )
  })
})

describe('the pages for editing in other languages', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let admin: Browser

  /** No identifier, title or name is like a text of a page. */
  before(async () => {
    const { post, ask } = service()
    await post('/api/agents/', agent('a-1', { display_name: 'a-1' }))
    await post('/api/agents/', agent('a-2', { display_name: 'a-1' }))
    await ask('PATCH', '/api/agents/a-1/', { body: { public: true } })
    await post('/api/repositories/', repository('r-1', { repository_name: 'r-1' }))
    await post('/api/zines/', zine('z-1', { title: 'z-1', creator: ['a-1'], language: ['fr'] }))
    await post('/api/zines/', zine('z-2', { title: 'z-2', creator: ['a-1'] }))
    await post('/api/holdings/', {
      ...holding('h-1', { zine_id: 'z-1', repository_id: 'r-1' }),
      access_status: 'reading-room-only',
      digital_available: true,
    })
    await post('/api/agents/a-2/merge/', { into: 'a-1' })
    await ask('DELETE', '/api/zines/z-2/')
    admin = browse(service().url)
    await admin.signIn('admin')
    for (const topic of ['correct', 'hide', 'remove', 'other'])
      await admin.send('/requests/new?kind=agents&id=a-1', { topic, text: '.', answer: '.' })
    for (const how of ['done', 'declined'])
      await admin.send(`/manage/requests/${how === 'done' ? 1 : 2}`, {
        '.version': '1',
        note: '',
        do: how,
      })
  })

  /** Subjects and genres have English labels only. */
  const englishOn = (text: string, messages: Messages): readonly string[] =>
    textsOn(text.replaceAll(/<datalist id="codes-(?:subject|genre)">.*?<\/datalist>/gs, '')).filter(
      (one) => isUntranslated(messages, one),
    )

  const ids = [
    ['zines', 'z-1'],
    ['agents', 'a-1'],
    ['repositories', 'r-1'],
    ['holdings', 'h-1'],
  ] as const

  const paths = [
    ...ids.flatMap(([kind, id]) => [
      `/manage/${kind}/new`,
      `/manage/${kind}/edit/${id}`,
      `/manage/${kind}/history/${id}`,
      `/manage/${kind}/remove/${id}`,
      `/manage/${kind}/merge/${id}`,
      `/manage/${kind}/rename/${id}`,
      `/manage/duplicates?kind=${kind}`,
    ]),
    '/manage/agents/unmerge/a-2',
    '/manage/agents/remove-name/a-1',
    '/requests/new?kind=zines&id=z-1',
    '/requests/new?kind=agents&id=a-1',
    '/manage/zines/pictures/z-1',
    '/manage/zines/history/z-2',
    '/manage/worklists',
    '/manage/inventory',
    '/manage/deleted',
    '/manage/requests',
    ...[1, 2, 3, 4].map((number) => `/manage/requests/${number}`),
    '/manage/accounts',
    '/manage/accounts/editor',
    '/manage/account',
  ]

  for (const path of paths)
    for (const [language, messages] of Object.entries(translations))
      it(`have no English text on ${path} in ${language}`, async () => {
        const { status, text } = await admin.get(path, { 'accept-language': language })
        expect([status, languageOf(text)]).to.deep.equal([200, language])
        expect(englishOn(text, messages)).to.deep.equal([])
      })

  /** The names of the API, which pages call makers, libraries and copies. */
  const namesOfApi = /\b(?:agents?|repositor(?:y|ies)|holdings?)\b/i

  for (const path of [
    ...paths,
    ...ids.flatMap(([kind, id]) => [`/api/${kind}/`, `/api/${kind}/${id}/`]),
  ])
    it(`have no names of the API on ${path}`, async () => {
      const { text } = await admin.get(path, { 'accept-language': 'en' })
      expect(textsOn(text).filter((one) => namesOfApi.test(one))).to.deep.equal([])
    })

  for (const [path, language, sentence] of [
    ['/manage/repositories/remove/r-1', 'fr', 'La bibliothèque r-1 sera supprimée.'],
    ['/manage/zines/edit/z-1', 'fr', 'Modifier le fanzine z-1'],
    ['/manage/agents/merge/a-1', 'es', 'Elige la persona o el colectivo que se queda.'],
    ['/manage/holdings/rename/h-1', 'fr', 'Changer l’identifiant de l’exemplaire h-1'],
    ['/manage/zines/history/z-2', 'es', 'Este fanzine se ha borrado.'],
    ['/requests/new?kind=agents&id=a-1', 'fr', 'À propos de la personne ou du collectif a-1'],
  ] as const)
    it(`have a sentence of its own for the kind of record on ${path}`, async () => {
      const { text } = await admin.get(path, { 'accept-language': language })
      expect(read(text).text).to.include(sentence)
    })

  it('say yes and no in the history as on the page of the record', async () => {
    const { text } = await admin.get('/manage/holdings/history/h-1', { 'accept-language': 'fr' })
    expect(
      read(text)
        .all('dd')
        .map((one) => one.text),
    )
      .to.include('Oui')
      .and.not.include('true')
  })

  it('say in the language why a change cannot be undone', async () => {
    for (const location of ['Box 1', 'Box 2'])
      await service().patch('/api/holdings/h-1/', { location })
    const path = '/manage/holdings/history/h-1'
    const form = { version: '2', action: 'undo' }
    const { status, text } = await admin.send(path, form, { 'accept-language': 'fr' })
    expect(status).to.equal(409)
    const [alert] = read(text).all('div', 'notice')
    expect(alert?.text).to.equal(
      'Pas annulé. h-1\u00a0: champs modifiés depuis, ou qui ne peuvent plus redevenir ce qu’ils étaient\u00a0: Emplacement',
    )
  })

  it('say in the language why a version cannot be restored', async () => {
    await service().post('/api/zines/', zine('z-3', { title: 'z-3', creator: ['a-1'] }))
    await service().post('/api/holdings/', holding('h-3', { zine_id: 'z-3', repository_id: 'r-1' }))
    await service().delete('/api/zines/z-3/')
    const form = { version: '1', action: 'restore' }
    const { status, text } = await admin.send('/manage/holdings/history/h-3', form, {
      'accept-language': 'es',
    })
    expect(status).to.equal(409)
    const [alert] = read(text).all('div', 'notice')
    expect(alert?.text.trim()).to.equal(
      'No se ha restaurado. Fanzine: No hay ningún fanzine «z-3». Elige uno de la lista o créalo antes.',
    )
  })

  it('show what somebody else changed as pages call it', async () => {
    const opened = (await admin.get('/manage/agents/edit/a-1')).text
    await service().patch('/api/agents/a-1/', { kind: 'Collective', public: true })
    const { status, text } = await admin.ask(
      'POST',
      '/manage/agents/edit/a-1',
      { ...formOn(opened, 'record-form'), kind: 'Organization' },
      { 'accept-language': 'fr' },
    )
    expect(status).to.equal(409)
    const [section] = read(text).all('section', 'look')
    expect(section?.all('bdi').map((one) => one.text)).to.include('Collectif')
    expect(englishOn(text, translations.fr)).to.deep.equal([])
  })

  const batch = '/manage/batch/zines'

  const rights = { query: '', field: 'rights', chosen: 'rights' } as const
  const addition = { ...rights, action: 'add', value: 'copyleft' } as const

  for (const [path, fields] of [
    ...['title', 'subject', 'creator', 'rights'].map(
      (field) => [batch, { query: '', field, do: 'choose' }] as const,
    ),
    ...['another', 'preview'].map((button) => [batch, { ...addition, do: button }] as const),
    ['/manage/batch/holdings', { query: '', field: 'digital_available', do: 'choose' }],
    ['/manage/inventory', { do: 'labels', shown: 'h-1' }],
    ['/manage/inventory', { do: 'print', shown: 'h-1' }],
    ['/manage/account', { do: 'token', label: '' }],
    ['/manage/accounts', { do: 'create', name: '', role: 'editor' }],
    ['/manage/zines/pictures/z-1', { do: 'elsewhere', address: '.', kind: 'image' }],
    ['/requests/new?kind=agents&id=a-1', {}],
  ] satisfies readonly (readonly [string, Fields])[])
    for (const [language, messages] of Object.entries(translations))
      it(`have no English text after ${Object.values(fields).join(' ')} on ${path} in ${language}`, async () => {
        const csrf_token = csrfOn((await admin.get('/manage/account')).text)
        const sent = { csrf_token, ...fields }
        const { text } = await admin.ask('POST', path, sent, { 'accept-language': language })
        expect(languageOf(text)).to.equal(language)
        expect(englishOn(text, messages)).to.deep.equal([])
      })

  it('offer to create what is not found, in the words of pages', async () => {
    const offerIn = async (language: string) => {
      const { text } = await admin.get('/manage/zines/new', { 'accept-language': language })
      const pickers = read(text)
        .all('input')
        .map(({ attributes }) => attributes)
      return pickers.find(({ name }) => name === 'creator')?.['data-picker-create-text']
    }
    expect(await offerIn('en')).to.equal('Create maker “{typed}”')
    expect(await offerIn('fr')).to.equal(
      'Ajouter la personne ou le collectif «\u00a0{typed}\u00a0»',
    )
  })

  it('say in the language what is wrong with a record', async () => {
    for (const [language, messages] of Object.entries(translations))
      for (const [kind] of ids) {
        const path = `/manage/${kind}/new`
        const sent = { country: '.', creator: '.', zine_id: '.', repository_id: '.' }
        const { status, text } = await admin.send(path, sent, { 'accept-language': language })
        expect([status, languageOf(text)], path).to.deep.equal([400, language])
        expect(englishOn(text, messages), path).to.deep.equal([])
      }
  })
})

describe('the pages of imports in other languages', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser
  /** The path of an import. */
  let path = ''

  /** No name of a column, and no term that has to be chosen, is like a text of a page. */
  const table = [
    'title,author,date,genre,tags,mood',
    'Doris #15,"Crabb, Cindy",1999,Perzine,"punk,bikes",A1',
    'Cometbus,Aaron,,Perzine,"punk,unheard of",A2',
    'Nameless,Jackie Wang and Ramsey Beyer,2003,Perzine,unheard of,A3',
    'Nameless,,2003,Perzine,,A4',
  ].join('\n')

  /** The page in a language when no work goes on any more. */
  async function see(at: string, language = 'en'): Promise<string> {
    for (;;) {
      const { text, headers, status } = await editor.get(at, { 'accept-language': language })
      if (status === 303) return see(headers.get('location') ?? '', language)
      if (!headers.has('refresh')) return text
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Sends the form of a step with the revision that its page has. */
  async function send(step: string, fields: Parameters<Browser['send']>[1]): Promise<void> {
    const text = await see(path + step)
    const revision = /name="\.revision" value="(\d+)"/.exec(text)?.[1] ?? ''
    const csrf_token = csrfOn(text)
    await editor.ask('POST', path + step, { csrf_token, '.revision': revision, ...fields })
  }

  async function expectNoEnglish(...pages: readonly string[]): Promise<void> {
    for (const page of pages)
      for (const [language, messages] of Object.entries(translations)) {
        const text = await see(page, language)
        expect(languageOf(text), page).to.equal(language)
        const english = textsOn(text).filter((one) => isUntranslated(messages, one))
        expect(english, `${page} in ${language}`).to.deep.equal([])
      }
  }

  const steps = (...names: readonly string[]): readonly string[] =>
    names.map((name) => `${path}/${name}`)

  before(async () => {
    await service().post('/api/repositories/', repository('library'))
    editor = browse(service().url)
    await editor.signIn('editor')
    const form = new FormData()
    form.set('csrf_token', csrfOn((await editor.get('/manage/imports')).text))
    form.set('file', new Blob([table], { type: 'text/csv' }), 'zines.csv')
    const { headers } = await fetch(`${service().url}/manage/imports`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: ACCEPT, cookie: editor.cookie(), origin: service().url },
      body: form,
    })
    path = headers.get('location') ?? ''
    await see(`${path}/file`)
  })

  it('have no English text before anything is decided', async () => {
    await expectNoEnglish(
      '/manage/imports',
      ...steps('file', 'fields', 'fields?field=mood', 'fields?field=tags'),
      ...['open', 'new', 'found', 'split'].map((tab) => `${path}/names?show=${tab}`),
      ...['suggested', 'none', 'exact'].map((tab) => `${path}/terms?show=${tab}`),
      ...steps('preview', 'result'),
    )
  })

  it('have no English text on the preview', async () => {
    await send('/fields', {
      do: 'save',
      repository: 'library',
      empty: ['zines.language', 'zines.rights', 'zines.date'],
      from: 'mood',
      to: 'holdings.notes',
    })
    await send('/names', { do: 'accept-all' })
    await send('/terms', { do: 'rest-note', vocabulary: 'subjects' })
    await send('/preview', { do: 'preview' })
    await expectNoEnglish(
      ...steps('fields', 'names', 'terms'),
      ...['refused', 'duplicates', 'samples', 'notes'].map((tab) => `${path}/preview?show=${tab}`),
    )
  })

  it('have no English text when the import is written, and when it is undone', async () => {
    const hash = /name="hash" value="(\w+)"/.exec(await see(`${path}/preview`))?.[1] ?? ''
    await send('/preview', { do: 'write', hash })
    await expectNoEnglish(...steps('result'), '/manage/imports')
    expect(await see(`${path}/result`, 'es')).to.include(spanish.get('Undo this import'))
    await send('/result', { do: 'undo' })
    await expectNoEnglish(...steps('result'), '/manage/imports')
    expect(await see(`${path}/result`, 'fr')).to.include(
      french.get('Change something and import again'),
    )
  })

  it('say in the language what is wrong with a form', async () => {
    const csrf_token = csrfOn(await see('/manage/imports'))
    const { status, text } = await editor.ask(
      'POST',
      '/manage/imports',
      { csrf_token },
      { 'accept-language': 'es' },
    )
    expect(status).to.equal(400)
    expect(text).to.include(spanish.get('Choose a file, or give an address.'))
  })
})
