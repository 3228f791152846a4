// The rows of the page of a reader's own list, one for each zine, made from the template of the page
// (features/my-list/my-list-page.tsx).

import type { KeptZine } from './kept-zines.js'
import { fill } from './texts.js'

/** The texts of the page in its language, by their names. */
export type Say = (name: string, values?: Parameters<typeof fill>[1]) => string

type RowsOptions = {
  readonly template: HTMLTemplateElement
  readonly say: Say
  /** Whether the rows have buttons. */
  readonly isOwn: boolean
}

/** Puts the rows of these zines in place of those that are there. The focus stays on its button. */
export function showRows(
  list: HTMLElement,
  zines: readonly KeptZine[],
  options: RowsOptions,
): void {
  const focused = document.activeElement
  const id = list.contains(focused) ? focused?.closest('li')?.dataset.id : undefined
  list.replaceChildren(
    ...zines.map((zine, index) =>
      createRow(zine, options, { isFirst: index === 0, isLast: index === zines.length - 1 }),
    ),
  )
  const action = focused instanceof HTMLElement ? focused.dataset.do : undefined
  if (id !== undefined && action !== undefined) focusRow(list, id, action)
}

/** Focuses a button of a row, or the other way of moving where there is no further. */
export function focusRow(list: HTMLElement, id: string, action: string): void {
  const row = [...list.children].find((child) => (child as HTMLElement).dataset.id === id)
  const others = action === 'up' ? ', [data-do=down]' : action === 'down' ? ', [data-do=up]' : ''
  const buttons = row?.querySelectorAll<HTMLButtonElement>(`[data-do=${action}]${others}`) ?? []
  const enabled = [...buttons].filter(({ disabled }) => !disabled)
  const same = enabled.find(({ dataset }) => dataset.do === action)
  ;(same ?? enabled[0])?.focus()
}

function createRow(
  zine: KeptZine,
  { template, say, isOwn }: RowsOptions,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): HTMLElement {
  // The template has one element.
  const row = template.content.firstElementChild?.cloneNode(true) as HTMLElement
  const find = (selector: string): HTMLElement => {
    const element = row.querySelector<HTMLElement>(selector)
    if (!element) throw new Error(`The row has no ${selector}.`)
    return element
  }
  row.dataset.id = zine.id
  const path = `/api/zines/${encodeURIComponent(zine.id)}/`
  const link = find('a') as HTMLAnchorElement
  link.textContent = zine.title
  if (zine.language !== '') link.lang = zine.language
  if (!zine.isGone) link.href = path
  find('.line').textContent = zine.line
  find('.held').textContent = librariesText(zine, say)
  find('.state').textContent = zine.isGone
    ? say('gone')
    : zine.formerId === ''
      ? ''
      : say('formerly', { id: zine.formerId })
  find('.address').textContent = location.origin + path
  fillCover(find('.cover'), zine)
  if (!isOwn) find('.row-buttons').remove()
  for (const button of row.querySelectorAll('button')) {
    button.setAttribute('aria-label', fill(button.ariaLabel ?? '', { title: zine.title }))
    const { do: action } = button.dataset
    button.disabled = (action === 'up' && isFirst) || (action === 'down' && isLast)
  }
  return row
}

function librariesText({ libraries, more }: KeptZine, say: Say): string {
  if (!libraries) return say('unknownLibraries')
  if (libraries.length === 0) return say('noLibrary')
  const names = libraries.join(', ')
  return more > 0 ? `${names} · ${say('more', { count: more })}` : names
}

function fillCover(cover: HTMLElement, { picture, look, title }: KeptZine): void {
  if (picture !== '') {
    const image = new Image()
    image.className = 'picture'
    image.alt = ''
    image.src = picture
    cover.append(image)
    return
  }
  cover.classList.add('drawn', ...(look || 'texture-0 paper-0').split(' '))
  cover.append(document.createElement('span'))
  if (cover.firstElementChild) cover.firstElementChild.textContent = title
}
