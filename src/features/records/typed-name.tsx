// The name that somebody types to delete or hide a record with which many others go.

import type { SubmittedForm } from '../../http/form-endpoint.js'

/** A record that takes more others along asks for its name. */
export const maxUnnamed = 10

/** The name in a form, as it was typed. */
export const typedNameIn = (form: SubmittedForm): string => form.get('.name') ?? ''

/** Whether the form has the name of a record, but for differences that nobody sees. */
export const isNameTyped = (form: SubmittedForm, name: string): boolean =>
  comparableName(typedNameIn(form)) === comparableName(name)

const comparableName = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim()

export const NameToType = ({
  label,
  title,
  typed,
  required = false,
}: {
  readonly label: string
  /** The name, as it is to be typed. */
  readonly title: string
  readonly typed: string
  readonly required?: boolean
}) => (
  <div class="field">
    <p class="field-name">
      <label for="name">{label}</label>
    </p>
    <p id="name-hint" dir="auto">
      {title}
    </p>
    <input
      type="text"
      id="name"
      name=".name"
      value={typed}
      required={required}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      aria-describedby="name-hint"
    />
  </div>
)
