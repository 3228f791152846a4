// An input for a year in four digits.

export const YearInput = ({
  name,
  title,
  value = '',
  placeholder,
}: {
  readonly name: string
  readonly title: string
  readonly value?: string | undefined
  readonly placeholder?: string
}) => (
  <label class="year">
    <span>{title}</span>
    <input
      type="text"
      inputMode="numeric"
      pattern="[0-9]{4}"
      size={4}
      name={name}
      value={value}
      placeholder={placeholder}
      autocomplete="off"
    />
  </label>
)
