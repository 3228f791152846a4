// A choice of one of several values.

import type { ComponentChildren } from 'preact'

import type { Vocabulary } from '../../model/vocabulary.js'
import { LabelledField, type LabelledFieldProps } from '../form-layout.js'
import { entriesOf } from '../translate.js'

/** A value that is sent, and what it is called. */
export type Option = readonly [value: string, label: ComponentChildren]

type OptionGroup = { readonly label: string; readonly options: readonly Option[] }

export type SelectProps = {
  readonly name: string
  readonly id?: string
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
  readonly 'aria-describedby'?: string | undefined
  readonly options: readonly (Option | OptionGroup)[]
  /** The value that is chosen. */
  readonly value?: string | undefined
}

export const Select = ({ options, value, ...attributes }: SelectProps) => (
  <select {...attributes}>
    {options.map((option) =>
      'options' in option ? (
        <optgroup key={option.label} label={option.label}>
          <Options options={option.options} value={value} />
        </optgroup>
      ) : (
        <Options key={option[0]} options={[option]} value={value} />
      ),
    )}
  </select>
)

/** Also those of a list of suggestions. */
export const Options = ({
  options,
  value: chosen,
}: {
  readonly options: readonly Option[]
  readonly value?: string | undefined
}) => (
  <>
    {options.map(([value, label]) => (
      <option key={value} value={value} selected={value === chosen}>
        {label}
      </option>
    ))}
  </>
)

/** With its label above it, and a hint. */
export const SelectRow = ({
  id,
  label,
  hint,
  ...select
}: SelectProps & Omit<LabelledFieldProps, 'id'>) => {
  const inputId = id ?? select.name
  return (
    <LabelledField id={inputId} label={label} hint={hint}>
      <Select id={inputId} {...select} aria-describedby={hint && `${inputId}-hint`} />
    </LabelledField>
  )
}

/** With its label before it, in a line of inputs. */
export const LabelledSelect = ({ label, ...select }: SelectProps & { readonly label: string }) => (
  <label>
    <span>{label}</span>
    <Select {...select} />
  </label>
)

/** The entries of a vocabulary as options. */
export const codeOptions = (vocabulary: Vocabulary | undefined): readonly Option[] =>
  vocabulary ? entriesOf(vocabulary).map(({ code, label }) => [code, label]) : []
