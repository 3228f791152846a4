// Reads the elements of a MODS record (https://www.loc.gov/standards/mods/userguide/;
// xml-records.ts). The source fields are called by the paths of elements, with the type of an
// element in brackets: `titleInfo[alternative]`.

import { type SourceField, type SourcePart, textField } from './source.js'

export const modsNamespace = 'http://www.loc.gov/mods/v3'

type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  readonly text: string
}

/** Collects the elements of one record, in the order in which a parser meets their ends. */
export class ModsCollector {
  /** The children of each open element, the record first. */
  readonly #children: Element[][] = []

  open(): void {
    this.#children.push([])
  }

  /** @returns the fields of the record, with its last element */
  close(
    name: string,
    attributes: Readonly<Record<string, string>>,
    text: string,
  ): readonly SourceField[] {
    const element = { name, attributes, children: this.#children.pop() ?? [], text }
    const siblings = this.#children.at(-1)
    siblings?.push(element)
    return siblings ? [] : fieldsOf(element)
  }
}

const fieldsOf = (record: Element): readonly SourceField[] =>
  record.children.flatMap((element) => toFields(element, element.name))

/** The elements that are put together; each other one gives a field for each text inside of it. */
const composed: Readonly<Record<string, (element: Element) => readonly SourceField[]>> = {
  titleInfo,
  name,
  language,
  originInfo,
  physicalDescription,
  relatedItem,
}

function toFields(element: Element, path: string): readonly SourceField[] {
  const compose = composed[element.name]
  if (compose) return compose(element)
  if (element.children.length > 0)
    return element.children.flatMap((child) => toFields(child, `${path}.${child.name}`))
  const text = element.text.trim()
  return text === '' ? [] : [textField(typed(path, element), text)]
}

const typed = (path: string, { attributes: { type, otherType = type } }: Element): string =>
  otherType === undefined ? path : `${path}[${otherType}]`

const childrenOf = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name)

const textsOf = (element: Element, name: string): readonly string[] =>
  childrenOf(element, name)
    .map(({ text }) => text.trim())
    .filter(Boolean)

/** The title with its article and subtitle, and the designation of the part. */
function titleInfo(element: Element): readonly SourceField[] {
  // The article has its space, or its apostrophe, at its end.
  const article = childrenOf(element, 'nonSort').map(({ text }) =>
    /[\s’'-]$/.test(text) ? text.trimStart() : `${text.trim()} `,
  )
  const title = [
    article.join('') + textsOf(element, 'title').join(' '),
    ...textsOf(element, 'subTitle'),
  ].join(': ')
  const part = [...textsOf(element, 'partNumber'), ...textsOf(element, 'partName')].join(', ')
  const isMain = element.attributes.type === undefined
  return [
    ...(title.trim() === '' ? [] : [textField(typed('titleInfo', element), title.trim())]),
    ...(part === '' ? [] : [textField(isMain ? 'partNumber' : 'titleInfo.part', part)]),
  ]
}

const agentKinds: Readonly<Record<string, 'Person' | 'Collective'>> = {
  personal: 'Person',
  corporate: 'Collective',
  conference: 'Collective',
  family: 'Collective',
}

/** A name as the part `a`, with its roles as parts `r`. */
function name(element: Element): readonly SourceField[] {
  const ofType = (type: string | undefined): readonly string[] =>
    childrenOf(element, 'namePart')
      .filter(({ attributes }) => attributes.type === type)
      .map(({ text }) => text.trim())
      .filter(Boolean)
  const family = [...ofType('family'), ...ofType('given'), ...ofType('termsOfAddress')].join(', ')
  const text = ofType(undefined).join(', ') || family || textsOf(element, 'displayForm').join(', ')
  if (text === '') return []
  const roles = childrenOf(element, 'role').flatMap(rolesOf)
  const agentKind = agentKinds[element.attributes.type ?? '']
  return [
    {
      name: 'name',
      parts: [{ code: 'a', text }, ...roles],
      ...(agentKind === undefined ? {} : { agentKind }),
    },
  ]
}

/** One part for each role, though it may have a term and a code. */
function rolesOf(role: Element): readonly SourcePart[] {
  const [term] = textsOf(role, 'roleTerm')
  return term === undefined ? [] : [{ code: 'r', text: term }]
}

/** One field for each language, though it may have a name and a code. */
function language(element: Element): readonly SourceField[] {
  const [text] = textsOf(element, 'languageTerm')
  return text === undefined ? [] : [textField('language', text)]
}

/** Dates as they are written where they are also encoded. */
function originInfo(element: Element): readonly SourceField[] {
  const isDate = ({ name }: Element): boolean => /^date|Date$/.test(name)
  const isEncoded = ({ attributes }: Element): boolean => 'encoding' in attributes
  const written = element.children.filter((child) => isDate(child) && !isEncoded(child))
  return element.children
    .filter(
      (child) =>
        !isDate(child) || !isEncoded(child) || written.every((date) => date.name !== child.name),
    )
    .flatMap((child) => toFields(child, `originInfo.${child.name}`))
}

/** A second extent is that of the sheets. */
function physicalDescription(element: Element): readonly SourceField[] {
  const [first] = childrenOf(element, 'extent')
  return element.children.flatMap((child) =>
    toFields(
      child,
      child.name === 'extent' && child !== first
        ? 'physicalDescription.dimensions'
        : `physicalDescription.${child.name}`,
    ),
  )
}

/** The title of a related work with the number in it; texts about it as they are. */
function relatedItem(element: Element): readonly SourceField[] {
  const path = typed('relatedItem', element)
  return element.children.flatMap((child) =>
    child.name === 'titleInfo'
      ? titleInfo(child).map(({ name, parts }) => ({
          name: name === 'partNumber' ? `${path}.partNumber` : path,
          parts,
        }))
      : toFields(child, `${path}.${child.name}`),
  )
}
