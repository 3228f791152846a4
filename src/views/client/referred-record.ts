// Shows the small form for a record that a field refers to, such as a new maker, as a dialog. It is the
// form of the page that the service answers with (features/records/referred-record.tsx). Where
// something is in the way, that page takes the place of this one; nothing that was entered is lost.

import type { Picker } from './picker.js'

/** Lets somebody create the record, and picks it. @param name the field that refers to it */
export async function makeReferred(picker: Picker, name: string): Promise<void> {
  const form = picker.box.form
  if (!form) return
  const make = `${name}:${picker.typed}`
  const page = await send(form, (entries) => entries.set('.make', make))
  const small = smallFormIn(page)
  if (page && small) showDialog(picker, page, small)
  else submitWith(form, '.make', make)
}

function showDialog(picker: Picker, page: Document, small: HTMLFormElement): void {
  const dialog = document.createElement('dialog')
  const title = document.createElement('h2')
  title.id = 'dialog-title'
  title.textContent = page.querySelector('h1')?.textContent ?? ''
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(title, small)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('[data-cancel]')) return
    event.preventDefault()
    dialog.close()
  })
  dialog.addEventListener('submit', (event) => {
    event.preventDefault()
    void answer(picker, dialog, event)
  })
  document.body.append(dialog)
  dialog.showModal()
  focusIn(dialog)
}

/** Sends the small form. It is shown again with what is wrong, or the record is picked. */
async function answer(
  picker: Picker,
  dialog: HTMLDialogElement,
  event: SubmitEvent,
): Promise<void> {
  const form = event.target as HTMLFormElement
  const { name, value } = (event.submitter ?? {}) as Partial<HTMLButtonElement>
  const page = await send(form, (entries) => entries.set(name ?? '.made', value ?? 'yes'))
  const again = smallFormIn(page)
  const notice = page?.querySelector<HTMLElement>('[data-made]')
  if (notice) {
    dialog.close()
    picker.pick(notice.dataset.made ?? '', notice.dataset.title ?? '')
  } else if (again) {
    form.replaceWith(again)
    focusIn(dialog)
  } else submitWith(form, name ?? '.made', value ?? 'yes')
}

/** Focuses what is wrong, or else the field to begin with. */
const focusIn = (dialog: HTMLDialogElement): void =>
  dialog.querySelector<HTMLElement>('[data-focus]')?.focus()

const smallFormIn = (page: Document | undefined) =>
  page?.querySelector<HTMLFormElement>('form[data-referred]') ?? undefined

/** @returns the page that the service answers with; undefined where it does not */
async function send(
  form: HTMLFormElement,
  change: (entries: URLSearchParams) => void,
): Promise<Document | undefined> {
  // The cast: no form here has files.
  const entries = new URLSearchParams([...new FormData(form)] as [string, string][])
  change(entries)
  const response = await fetch(form.action, { method: 'POST', body: entries }).catch(
    () => undefined,
  )
  if (!response?.headers.get('content-type')?.startsWith('text/html')) return undefined
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Sends a form as a browser without scripts does with a button of it. */
function submitWith(form: HTMLFormElement, name: string, value: string): void {
  const entry = document.createElement('input')
  Object.assign(entry, { type: 'hidden', name, value })
  form.append(entry)
  form.submit()
}
