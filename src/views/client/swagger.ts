// Starts Swagger UI with our own description and without requests to other sites.

export {}

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => unknown

const place = document.querySelector<HTMLElement>('[data-description]')
if (place) {
  // Swagger UI's dark mode follows a class; our pages follow the system's setting.
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const paint = (): unknown => document.documentElement.classList.toggle('dark-mode', dark.matches)
  paint()
  dark.addEventListener('change', paint)

  // Swagger UI is not a module like the page's other scripts, so it is loaded by a script element.
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
    // With more than some 130 operations at once, Swagger UI shows only the first three.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    // The badge of the online validator would send the address of the service to its makers.
    validatorUrl: null,
    // A page has one main landmark, which contains this one.
    onComplete: () => place.querySelector('main')?.setAttribute('role', 'none'),
  })
}
