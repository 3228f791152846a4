// Starts Swagger UI with our own description, and with nothing from anywhere else.

export {}

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => unknown

const place = document.querySelector<HTMLElement>('[data-description]')
if (place) {
  // Its colours follow a class; ours follow what the reader's system says.
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const paint = (): unknown => document.documentElement.classList.toggle('dark-mode', dark.matches)
  paint()
  dark.addEventListener('change', paint)

  // It is no module, as all other scripts of a page are, and comes as a script of its own.
  const program = document.createElement('script')
  program.src = place.dataset.program ?? ''
  program.addEventListener('load', () => start(place))
  document.head.append(program)
}

function start(place: HTMLElement): void {
  SwaggerUIBundle({
    domNode: place,
    url: place.dataset.description,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    // The badge of a validator would tell somebody else who reads here.
    validatorUrl: null,
    // A page has one main part, and this is within it.
    onComplete: () => place.querySelector('main')?.setAttribute('role', 'none'),
  })
}
