// A browser without scripts for tests: sends requests and cookies as browsers do, and reads pages
// with a parser that follows the HTML standard.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter as tree, parse } from 'parse5'

import { type Answer, PASSWORD, type TestService } from '../service.js'

type Node = DefaultTreeAdapterTypes.Node
type TreeElement = DefaultTreeAdapterTypes.Element

export const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

export type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly classes: readonly string[]
  readonly text: string
  /** All its descendants with this name, in document order; `*` for any name. */
  readonly all: (name: string, className?: string) => readonly Element[]
}

export const look = (service: TestService, path: string): Promise<Answer> =>
  service.get(path, { headers: { accept: ACCEPT } })

/** The CSRF token of the forms on a page. */
export const csrfOn = (text: string): string =>
  /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

type Headers = Readonly<Record<string, string>>

export type Fields = Readonly<Record<string, string | readonly string[]>>

export type Browser = ReturnType<typeof browse>

/**
 * A browser at a service's origin, which keeps cookies and sends forms with the CSRF token of their
 * page.
 */
export function browse(url: string) {
  const cookies = new Map<string, string>()

  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function ask(method: string, path: string, form?: Fields, more: Headers = {}) {
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { accept: ACCEPT, cookie: cookie(), ...more },
      ...(form ? { body: toForm(form) } : {}),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers } = answer
    return { status, headers, text: await answer.text() }
  }

  const tokenOn = async (path: string): Promise<string> => csrfOn((await ask('GET', path)).text)

  return {
    cookies,
    /** The value of the Cookie header. */
    cookie,
    get: (path: string, more?: Headers) => ask('GET', path, undefined, more),
    /** Sends a form of the page at the path, to the same path. */
    async send(path: string, form: Fields, more: Headers = {}) {
      const csrf_token = await tokenOn(path)
      return ask('POST', path, { csrf_token, ...form }, more)
    },
    ask,
    async signIn(username: string, password = PASSWORD, next = '/api/zines/') {
      const csrf_token = await tokenOn('/manage/login')
      return ask('POST', '/manage/login', { csrf_token, username, password, next })
    },
  }
}

const toForm = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    ),
  )

/** The values of a page's form of this class, as a browser would send them. */
export function formOn(text: string, className: string): Record<string, readonly string[]> {
  const [form] = read(text).all('form', className)
  if (!form) throw new Error(`no form ${className}`)
  return fieldsOf(form)
}

/** The values of a form, as a browser would send them. */
export function fieldsOf(form: Element): Record<string, readonly string[]> {
  const fields: Record<string, string[]> = {}
  for (const control of ['input', 'textarea', 'select'].flatMap((name) => form.all(name))) {
    const { name = '', type, value = '', checked } = control.attributes
    const isLeftOut = name === '' || (type === 'checkbox' && checked === undefined)
    if (isLeftOut) continue
    const options = control.all('option')
    const chosen = options.find((option) => 'selected' in option.attributes) ?? options[0]
    const sent = {
      input: value,
      textarea: control.text,
      select: chosen?.attributes.value ?? '',
    }[control.name]
    fields[name] = [...(fields[name] ?? []), sent ?? '']
  }
  return fields
}

/** The page at an address; expects a page with status 200. */
export async function open(service: TestService, path: string): Promise<Element> {
  const { status, headers, text } = await look(service, path)
  expect([status, headers.get('content-type')], path).to.deep.equal([
    200,
    'text/html; charset=utf-8',
  ])
  return read(text)
}

export function read(text: string): Element {
  const html = parse(text).childNodes.find((node) => tree.isElementNode(node))
  if (!html) throw new Error('no document')
  return elementOf(html)
}

function elementOf(element: TreeElement): Element {
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]))
  return {
    name: element.tagName,
    attributes,
    classes: (attributes.class ?? '').split(' '),
    get text() {
      return textOf(element)
    },
    all: (name, className) =>
      [...within(element)]
        .filter((one) => name === '*' || one.tagName === name)
        .map(elementOf)
        .filter(({ classes }) => className === undefined || classes.includes(className)),
  }
}

function* within(node: Node): Generator<TreeElement> {
  for (const child of childrenOf(node))
    if (tree.isElementNode(child)) {
      yield child
      yield* within(child)
    }
}

const textOf = (node: Node): string =>
  childrenOf(node)
    .map((child) => (tree.isTextNode(child) ? child.value : textOf(child)))
    .join('')

const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : [])

/** Every address that a page links to or loads from, as written. */
export const addressesIn = (page: Element): readonly string[] =>
  page
    .all('*')
    .flatMap(({ attributes }) =>
      ['href', 'src', 'action', 'formaction'].flatMap((name) => attributes[name] ?? []),
    )

export async function loadSample(service: TestService): Promise<void> {
  for (const resource of ['agents', 'repositories', 'zines', 'holdings'])
    for (const line of (await readFile(`sample/${resource}.jsonl`, 'utf8')).trim().split('\n')) {
      const { status, text } = await service.post(`/api/${resource}/`, JSON.parse(line))
      expect(status, text).to.equal(201)
    }
}

/**
 * Expects that no stored value runs as code on the page, and that links lead to pages or e-mail
 * only.
 */
export function expectInert(page: Element, where: string): void {
  const active = page.all('*').filter((element) => !isInert(element))
  const described = active.map(({ name, attributes }) => `<${name} ${JSON.stringify(attributes)}>`)
  expect(described, where).to.deep.equal([])
  const others = addressesIn(page).filter(
    (address) => !linkedProtocols.includes(new URL(address, 'http://page.example/').protocol),
  )
  expect(others, where).to.deep.equal([])
}

const linkedProtocols = ['http:', 'https:', 'mailto:']
const activeElements = ['style', 'iframe', 'object', 'embed', 'base', 'frame']
const activeAttributes = /^(?:on.*|style|srcdoc|http-equiv)$/s

function isInert(element: Element): boolean {
  const { name, attributes } = element
  if (activeElements.includes(name)) return false
  if (Object.keys(attributes).some((attribute) => activeAttributes.test(attribute))) return false
  if (name === 'script' && attributes.type === 'application/ld+json') return isJson(element.text)
  const { src = '', href = '' } = attributes
  if (name === 'script') return src.startsWith('/assets/') && element.text === ''
  if (name === 'link' && attributes.rel === 'stylesheet') return href.startsWith('/assets/')
  return name !== 'img' || /^\/(?:assets|iiif\/images|manage\/pictures)\//.test(src)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const notShown = new Set(['script', 'style', 'code', 'pre', 'template', 'textarea'])

const spokenAttributes = ['aria-label', 'title', 'placeholder', 'alt']

/**
 * The texts of a page that people see or hear, each as it stands in an element or an attribute; also without what joins it
 * to others, such as a colon, and with its `code` between backticks, as hints are written.
 */
export function textsOn(page: string): readonly string[] {
  const collect = (node: Node): readonly string[] => {
    if (tree.isTextNode(node)) return [node.value.trim(), withoutJoints(node.value)]
    if (tree.isElementNode(node) && notShown.has(node.tagName)) return []
    const spoken = tree.isElementNode(node)
      ? node.attrs.filter(({ name }) => spokenAttributes.includes(name)).map(({ value }) => value)
      : []
    return [...spoken, withBackticks(node), ...childrenOf(node).flatMap(collect)]
  }
  return [...new Set(collect(parse(page)).filter(Boolean))]
}

const withoutJoints = (text: string): string => text.replace(/^[\s·]+|[\s:·]+$/g, '')

const ownText = (node: Node): string => (tree.isTextNode(node) ? node.value : textOf(node))

const isCode = (node: Node): boolean => tree.isElementNode(node) && node.tagName === 'code'

/** The text of an element with code among its text; empty for any other one. */
const withBackticks = (node: Node): string =>
  childrenOf(node).some(isCode)
    ? childrenOf(node)
        .map((child) => (isCode(child) ? `\`${textOf(child)}\`` : ownText(child)))
        .join('')
        .trim()
    : ''
