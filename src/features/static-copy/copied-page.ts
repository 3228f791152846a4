// A page of the service as a copy has it: its links lead to the files of the copy, and what needs the
// service is left out. Pages mark it with `data-needs-service`; forms need the service, except for the
// search, which the copy has too.

import {
  type DefaultTreeAdapterTypes as Tree,
  defaultTreeAdapter,
  html,
  parse,
  serialize,
} from 'parse5'

import { type CopyAddresses, relativeTo, searchFile } from './copy-addresses.js'

type Element = Tree.Element

export type CopiedPage = {
  readonly text: string
  /** The address of the page, which links are relative to. */
  readonly address: string
  readonly file: string
  readonly addresses: CopyAddresses
}

/** The page as a file of the copy. @param main takes the place of its content */
export function copyPage({ text, address, file, addresses }: CopiedPage, main?: string): string {
  const document = parse(text)
  const linkTo = (href: string): string | undefined => {
    const target = addresses.targetOf(href, address)
    return target === undefined ? undefined : relativeTo(file, target)
  }
  copyChildren(document, linkTo)
  if (main === undefined) return serialize(document)
  return serialize(document).replace(
    /(<main\b[^>]*>).*(<\/main>)/s,
    (_, start: string, end: string) => start + main + end,
  )
}

type LinkTo = (href: string) => string | undefined

function copyChildren(parent: Tree.ParentNode, linkTo: LinkTo): void {
  for (const node of [...parent.childNodes]) {
    if (!defaultTreeAdapter.isElementNode(node)) continue
    if (needsService(node, linkTo)) {
      defaultTreeAdapter.detachNode(node)
      continue
    }
    const hadText = emptied.has(node.tagName) && hasText(node)
    copyLinks(node, linkTo)
    copyChildren(node, linkTo)
    // A list, a box or a paragraph is left out with all that was in it.
    if (hadText && !hasText(node)) defaultTreeAdapter.detachNode(node)
  }
}

const emptied: ReadonlySet<string> = new Set([
  'li',
  'ul',
  'ol',
  'nav',
  'p',
  'section',
  'details',
  'aside',
  'fieldset',
])

function needsService(element: Element, linkTo: LinkTo): boolean {
  const { tagName } = element
  if (attributeOf(element, 'data-needs-service') !== undefined) return true
  // Scripts ask the service, and the data in the page is in `data/` too: it is for
  // crawlers and for managers of references.
  if (tagName === 'script' || attributeOf(element, 'class') === 'Z3988') return true
  if (tagName === 'link') return !keptLinks.has(attributeOf(element, 'rel') ?? '')
  if (tagName === 'meta') return (attributeOf(element, 'property') ?? '').startsWith('og:image')
  if (tagName === 'form') return !isSearch(element, linkTo)
  return tagName === 'a' && leadsNowhere(element, linkTo) && isChoice(element)
}

const keptLinks: ReadonlySet<string> = new Set(['stylesheet', 'icon'])

const isSearch = (form: Element, linkTo: LinkTo): boolean =>
  attributeOf(form, 'method') === 'get' &&
  (linkTo(attributeOf(form, 'action') ?? '') ?? '').endsWith(searchFile)

const leadsNowhere = (link: Element, linkTo: LinkTo): boolean => {
  const href = attributeOf(link, 'href')
  return href !== undefined && linkTo(href) === undefined
}

/** Whether a link is one of a choice, or a button: its words alone say nothing. */
function isChoice(link: Element): boolean {
  const isButton = /\bbutton\b/.test(attributeOf(link, 'class') ?? '')
  for (let node = link.parentNode; node && 'tagName' in node; node = node.parentNode) {
    if (node.tagName === 'nav' || node.tagName === 'aside') return true
    if (node.tagName === 'main') break
  }
  return isButton
}

/** The attributes with an address. */
const addressed = ['href', 'src', 'action', 'xlink:href'] as const

function copyLinks(element: Element, linkTo: LinkTo): void {
  const isText = element.tagName === 'a' && leadsNowhere(element, linkTo)
  if (isText) {
    const name = element.namespaceURI === html.NS.SVG ? 'g' : 'span'
    element.tagName = name
    element.nodeName = name
  }
  element.attrs = element.attrs.flatMap((attribute) => {
    const { name, value } = attribute
    if (name === 'srcset') return [{ name, value: copySources(value, linkTo) }]
    if ((addressed as readonly string[]).includes(name)) {
      const target = isText ? undefined : linkTo(value)
      return target === undefined ? [] : [{ ...attribute, value: target }]
    }
    // The texts of scripts that the copy does not have.
    return name === 'data-texts' ? [] : [attribute]
  })
}

const copySources = (sources: string, linkTo: LinkTo): string =>
  sources
    .split(/,\s+/)
    .flatMap((source) => {
      const [href = '', ...rest] = source.trim().split(/\s+/)
      const target = linkTo(href)
      return target === undefined ? [] : [[target, ...rest].join(' ')]
    })
    .join(', ')

const attributeOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value

/** Whether an element has text, an image, a form field or the like. */
function hasText(node: Tree.Node): boolean {
  if ('value' in node) return node.value.trim() !== ''
  if (!('childNodes' in node)) return false
  if ('tagName' in node && contents.has(node.tagName)) return true
  // What stands above something, and says nothing without it.
  if ('tagName' in node && headings.has(node.tagName)) return false
  return node.childNodes.some(hasText)
}

const headings: ReadonlySet<string> = new Set(['h2', 'h3', 'summary'])

const contents: ReadonlySet<string> = new Set(['img', 'svg', 'input', 'select', 'picture'])

/** The links of a feed, to the files of the copy where it has them. */
export const copyFeed = (
  xml: string,
  { address, file, addresses }: Omit<CopiedPage, 'text'>,
): string =>
  xml.replace(/\s*<link\b[^>]*\bhref="([^"]*)"[^>]*\/>/g, (link, href: string) => {
    const target = addresses.targetOf(href.replaceAll('&amp;', '&'), address)
    return target === undefined
      ? ''
      : link.replace(href, relativeTo(file, target).replaceAll('&', '&amp;'))
  })

/** A style sheet, with the files that it names. */
export const copyStyle = (
  css: string,
  { address, file, addresses }: Omit<CopiedPage, 'text'>,
): string =>
  css.replace(/url\('([^']*)'\)/g, (whole, href: string) => {
    const target = addresses.targetOf(href, address)
    return target === undefined ? whole : `url('${relativeTo(file, target)}')`
  })
