// The service worker of the inventory alone: while there is no network, it answers with the page and the files that
// inventory.ts keeps. What is sent is left to that script.

/** TypeScript has this type in a library that excludes that of pages. */
type FetchEvent = Event & {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  if (request.method !== 'GET') return
  ;(event as FetchEvent).respondWith(
    fetch(request).catch(async (error: unknown) => {
      // The headers of a visit differ from those with which the page was kept.
      const kept = await caches.match(request, { ignoreVary: true })
      if (!kept) throw error
      return kept
    }),
  )
})
