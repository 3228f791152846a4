// What a handler is given: the router's context with the state of one request. It imports nothing
// else of http/, so that every part of it may use these types.

import type { RouterContext } from '@koa/router'

import type { Account } from '../accounts/accounts.js'
import type { Session } from '../accounts/sessions.js'
import type { IsCurrent } from '../lib/cache.js'
import type { Format } from '../formats/serializer.js'
import type { Translator } from '../messages/translator.js'

/** A link of a response (RFC 8288). */
export type ResponseLink = {
  readonly relation: string
  /** The URL, in ASCII. */
  readonly target: string
  /** The media type of what it leads to. */
  readonly type?: string
  /** What the link is about, if it is not the response. */
  readonly anchor?: string
}

/** What pages show besides their own content. */
export type SiteInfo = {
  /** What the catalogue is called. */
  readonly name: string
  /** The address of the institution's logo, if it has one. */
  readonly logo: string | undefined
  /** Whether there is a page about the catalogue. */
  readonly hasAbout: boolean
  /** Where those who run the catalogue can be reached: a URL, also a `mailto:` one. */
  readonly contact: string | undefined
  /**
   * The number of open requests for changes that the account may answer; undefined for an account
   * that answers none.
   */
  readonly countOpenRequests: (account: Account) => number | undefined
  /** Whether searches with `q` are answered. */
  readonly findsWords: boolean
  /** The time at which a demonstration goes back to its beginning; undefined for other services. */
  readonly resetsAt: string | undefined
}

/** A style sheet in a page, and the source by which a Content-Security-Policy allows it. */
export type InlineStyle = { readonly css: string; readonly source: string }

export type RequestState = {
  site: SiteInfo
  /** The identifier of the request, for the log. */
  id: string
  /** The path of the endpoint in the router's form; undefined until an endpoint is found. */
  route: string | undefined
  account: Account | undefined
  /** The negotiated format. */
  format: Format
  /** The formats of this response, where they are not all formats of the endpoint. */
  offered?: readonly Format[]
  /** The browser's session; set for HTML pages only. */
  session: Session | undefined
  /** The language of the page; set when a page is made. */
  translator?: Translator
  /** The style sheets that the page has in it. */
  inlineStyles?: readonly InlineStyle[]
  /** Whether the response may still be used; undefined if it must not be cached. */
  isCurrent: IsCurrent | undefined
  /** What the handler links to; sent by response/link-headers.ts as far as there is room. */
  links: readonly ResponseLink[] | undefined
}

/**
 * A successful answer to a GET, the same for everybody: as the handler of an endpoint sends it, and
 * as it is sent before Koa (fast-path.ts).
 */
export type Answer = {
  /** Those that are of this answer alone, without its ETag and its links. */
  readonly headers: Readonly<Record<string, string>>
  readonly links: readonly ResponseLink[]
  /** The ETag without a content coding. */
  readonly etag: string
  /** As it is sent (`toBody`). */
  readonly body: string | Buffer
  readonly isCurrent: IsCurrent
}

export type RequestContext = RouterContext<RequestState>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Handler = (ctx: RequestContext) => Promise<void> | void
