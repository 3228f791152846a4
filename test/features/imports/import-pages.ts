// What tests of the pages of imports do as a browser without scripts: send a file, wait, and send the form of a page.

import type { TestService } from '../../service.js'
import {
  ACCEPT,
  type Browser,
  type Fields,
  browse,
  csrfOn,
  read,
  fieldsOf,
} from '../../views/browser.js'

type Pressed = {
  /** Where the button led. */
  readonly path: string
  readonly status: number
  readonly text: string
}

export function importPages(service: () => TestService) {
  let editor: Browser

  /** Signs the editor in, whose requests these are. */
  async function open(): Promise<Browser> {
    editor = browse(service().url)
    await editor.signIn('editor')
    return editor
  }

  /** Sends a file as the form does. @returns the path of the import */
  async function upload(
    content: string,
    { csrf, origin = service().url }: { readonly csrf?: string; readonly origin?: string } = {},
  ) {
    const form = new FormData()
    form.set('csrf_token', csrf ?? csrfOn((await editor.get('/manage/imports')).text))
    form.set('file', new Blob([content], { type: 'text/csv' }), 'zines.csv')
    const answer = await fetch(`${service().url}/manage/imports`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: ACCEPT, cookie: editor.cookie(), origin },
      body: form,
    })
    const path = answer.headers.get('location') ?? ''
    return { status: answer.status, path, text: await answer.text() }
  }

  /** The page when no work goes on any more. */
  async function see(path: string): Promise<string> {
    for (;;) {
      const { text, headers, status } = await editor.get(path)
      if (status === 303) return see(headers.get('location') ?? '')
      if (!headers.has('refresh')) return text
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function begin(content: string): Promise<string> {
    const { path } = await upload(content)
    await see(`${path}/file`)
    return path
  }

  /** Sends the form of a page with the revision that the page has. */
  async function send(path: string, fields: Fields) {
    const text = await see(path)
    const revision = /name="\.revision" value="(\d+)"/.exec(text)?.[1] ?? ''
    const csrf_token = csrfOn(text)
    return editor.ask('POST', path, { csrf_token, '.revision': revision, ...fields })
  }

  /**
   * Presses a button of a page with some values changed, and goes where it leads.
   * @param label how the text of the button begins
   */
  async function press(path: string, label: string, changed: Fields = {}): Promise<Pressed> {
    const page = read(await see(path))
    const button = page.all('button').find(({ text }) => text.trim().startsWith(label))
    if (!button) throw new Error(`no button ${label} on ${path}`)
    const form = page
      .all('form')
      .find((one) =>
        button.attributes.form === undefined
          ? one.all('button').some(({ text }) => text === button.text)
          : one.attributes.id === button.attributes.form,
      )
    if (!form) throw new Error(`no form of ${label} on ${path}`)
    const { name, value = '' } = button.attributes
    const answer = await editor.ask('POST', form.attributes.action ?? path, {
      ...fieldsOf(form),
      ...changed,
      ...(name === undefined ? {} : { [name]: value }),
    })
    const location = answer.headers.get('location')
    return location === null
      ? { path, status: answer.status, text: answer.text }
      : { path: location, status: answer.status, text: await see(location) }
  }

  return { open, upload, see, begin, send, press }
}
