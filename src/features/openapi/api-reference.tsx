// The page of the API's operations by tag, whose content comes from the OpenAPI document.

import type { Format } from '../../formats/serializer.js'
import { ApiRequestIn, FormatLinks } from '../../views/components/api-request.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { schemaPath, titleCase } from '../../views/links.js'
import type { Handler, RequestContext } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type ApiReference = {
  readonly title: string
  /** Paragraphs and lists in the Markdown of the OpenAPI description. */
  readonly description: string
  readonly groups: readonly TagGroup[]
  readonly formats: readonly Format[]
  readonly yamlFor: (ctx: RequestContext) => string
}

export const apiReferencePage =
  (assets: AssetUrls) =>
  ({ yamlFor, ...reference }: ApiReference): Handler =>
  (ctx) =>
    sendPage(
      ctx,
      <ApiReferencePage context={pageContext(ctx, assets)} yaml={yamlFor(ctx)} {...reference} />,
    )

type ApiOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Whether it needs a token. */
  readonly needsToken: boolean
  readonly requestTypes: readonly string[]
  readonly parameters: readonly ApiParameter[]
  readonly responses: readonly { readonly status: string; readonly description: string }[]
}

type ApiParameter = {
  readonly name: string
  readonly where: string
  readonly description: string
  readonly isRequired: boolean
}

type TagGroup = {
  readonly name: string
  readonly description: string
  readonly operations: readonly ApiOperation[]
}

type ApiReferencePageProps = Omit<ApiReference, 'yamlFor'> & {
  readonly context: PageContext
  readonly yaml: string
}

const ApiReferencePage = (props: ApiReferencePageProps) => {
  const { context, description, groups, formats, yaml } = props
  const title = `${props.title} API`
  return (
    <Layout context={context} title={title} styles={['reference.css']}>
      <header class="page-head">
        <h1>{title}</h1>
        <a class="button" href={schemaPath}>
          Try it here
        </a>
      </header>
      <Prose text={description} />
      <nav class="contents" aria-label="Chapters">
        <ul>
          {groups.map(({ name, operations }) => (
            <li key={name}>
              <a href={`#${name}`}>{titleCase(name)}</a> {operations.length}
            </li>
          ))}
        </ul>
      </nav>
      {groups.map((group) => (
        <section key={group.name} id={group.name} class="overview">
          <h2 class="label">{titleCase(group.name)}</h2>
          {group.description && <p>{group.description}</p>}
          {group.operations.map((operation) => (
            <OperationBox key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
      <FormatLinks context={context} formats={formats} />
      <ApiRequestIn context={context} type="application/yaml" text={yaml} />
    </Layout>
  )
}

const OperationBox = ({ operation }: { readonly operation: ApiOperation }) => {
  const {
    id,
    method,
    path,
    summary,
    description,
    needsToken,
    requestTypes,
    parameters,
    responses,
  } = operation
  return (
    <article id={id} class="operation">
      <h3>
        <span class="method">{method}</span> <code>{path}</code>
      </h3>
      <p>
        <strong>{summary}.</strong> {description !== summary && <Code text={description} />}
        {needsToken && <span class="needs-token"> Needs a token.</span>}
      </p>
      <details>
        <summary>
          Parameters and answers<span class="visually-hidden"> of {`${method} ${path}`}</span>
        </summary>
        {requestTypes.length > 0 && <p>Takes {requestTypes.join(' or ')}.</p>}
        {parameters.length > 0 && (
          <dl class="fields">
            {parameters.map(({ name, where, description: text, isRequired }) => (
              <div key={`${where} ${name}`}>
                <dt>
                  <code>{name}</code>
                  <span class="where">
                    {' '}
                    {where}
                    {isRequired && ', required'}
                  </span>
                </dt>
                <dd>
                  <Code text={text} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <dl class="fields">
          {responses.map(({ status, description: text }) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                <Code text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </article>
  )
}

/** Renders paragraphs, and lists whose items begin with a dash. */
const Prose = ({ text }: { readonly text: string }) => (
  <div class="prose">
    {text
      .trim()
      .split(/\n{2,}/)
      .map((part, index) =>
        part.startsWith('- ') ? (
          <ul key={index}>
            {part.split(/^- /m).map(
              (item) =>
                item !== '' && (
                  <li key={item}>
                    <Code text={item} />
                  </li>
                ),
            )}
          </ul>
        ) : (
          <p key={index}>
            <Code text={part} />
          </p>
        ),
      )}
  </div>
)

/** Renders a text, with the parts between back quotes as code. */
const Code = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split('`')
      .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}
  </>
)
