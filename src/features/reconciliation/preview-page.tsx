// A short page about an agent, a zine or another entity, for the frame in which programs such as
// OpenRefine show it. It has no navigation and no scripts, and its link leads out of the frame.

type PreviewPageProps = {
  readonly name: string
  /** What kind of entity it is, such as `Zines`. */
  readonly type: string
  readonly description: string
  /** The identifier that reconciliation uses. */
  readonly id: string
  /** The address of its page. */
  readonly address: string
  readonly assetUrl: (name: string) => string
}

export const PreviewPage = ({
  name,
  type,
  description,
  id,
  address,
  assetUrl,
}: PreviewPageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{name}</title>
      <link rel="stylesheet" href={assetUrl('site.css')} />
    </head>
    <body class="preview">
      <main>
        <h1>
          <a href={address} target="_blank" rel="noopener">
            {name}
          </a>
        </h1>
        {description !== '' && <p>{description}</p>}
        <p>
          {type} · <code>{id}</code>
        </p>
      </main>
    </body>
  </html>
)
