// What the start says to people: at a terminal which address to open, and everywhere how to add the
// first account.

type FirstRunHint = {
  /** The address at which the service listens. */
  readonly url: string
  /** BASE_URL, where it is set: people reach the service there. */
  readonly baseUrl: string | undefined
  /** The path of the link that adds the first account. */
  readonly path: string
}

export const addressHint = (url: string): string => `open ${addressToOpen(url)}/ in a browser`

export const firstRunHint = ({ url, baseUrl, path }: FirstRunHint): string =>
  'there is no account yet. Open this link in a browser to create the administrator; ' +
  `it works once, for one hour:\n  ${baseUrl ?? addressToOpen(url)}${path}`

export const expiredHint =
  'the link for the first account has expired. Restart the service for another one, ' +
  'or add an account in another terminal:\n' +
  "  echo 'a long pass phrase' | npx zine-catalogue account add NAME --role admin --password-stdin"

/** A service that listens at all addresses of the machine is opened at `localhost`. */
const addressToOpen = (url: string): string =>
  url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost')
