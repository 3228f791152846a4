// Makes HTML of Markdown that an institution writes: no HTML of its own, no images, no addresses of
// scripts.

import MarkdownIt from 'markdown-it'

export type RenderedMarkdown = {
  /** The text of the first heading, if the text begins with one of the first level. */
  readonly title: string | undefined
  /** The rest. */
  readonly html: string
}

// Raw HTML is shown as text, and addresses like `javascript:` are no links.
const markdown = new MarkdownIt({ html: false, linkify: true }).disable('image')
// Bare names of hosts may be something else; addresses with a scheme, and of e-mail, are meant.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: true })

export function renderMarkdown(text: string): RenderedMarkdown {
  const environment = {}
  const tokens = markdown.parse(text, environment)
  const [opening, content] = tokens
  const hasTitle = opening?.type === 'heading_open' && opening.tag === 'h1'
  const rest = hasTitle ? tokens.slice(3) : tokens
  return {
    title: hasTitle ? content?.children?.map((token) => token.content).join('') : undefined,
    html: markdown.renderer.render(rest, markdown.options, environment),
  }
}
