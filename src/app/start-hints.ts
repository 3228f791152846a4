// What the start says to a person at a terminal: which address to open, and how to add the first
// account.

type StartHints = { readonly url: string; readonly hasAccounts: boolean }

export const startHints = ({ url, hasAccounts }: StartHints): readonly string[] => [
  `open ${addressToOpen(url)} in a browser`,
  ...(hasAccounts
    ? []
    : [
        'there is no account yet; to edit records, add one in another terminal:\n' +
          "  echo 'a long pass phrase' | npx zine-catalogue account add NAME --role admin --password-stdin",
      ]),
]

/** A service that listens at all addresses of the machine is opened at `localhost`. */
const addressToOpen = (url: string): string =>
  `${url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost')}/`
