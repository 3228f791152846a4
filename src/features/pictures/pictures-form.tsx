// The page with the pictures of a zine or a holding, and the images that only editors see. How it
// looks is left to features/pictures/pictures-page.tsx.

import type { VNode } from 'preact'

import { type Message, message } from '../../message.js'
import { InvalidError, NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { ValidationError } from '../../model/record/input.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { namedSize } from './addresses.js'
import { parseElsewhere, parseNewDescription } from './description.js'
import {
  type ElsewhereAddress,
  type PictureDescription,
  type PicturedKind,
  picturedKinds,
} from './picture.js'
import type { Pictures } from './pictures.js'
import { recordHeading } from '../../views/components/record-summary.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes, recordPath } from '../../views/links.js'
import { PicturesPage } from './pictures-page.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { messageOf, httpErrors } from '../../http/errors.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { readPictureUpload, requireFile } from './picture-upload.js'
import { mayWriteRecord, readFor } from '../../http/request/record-rights.js'
import { pageContext } from '../../http/response/html.js'
import { sendImage } from './image.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  editingEndpoint,
  send,
  withErrorPage,
  notAllowedMessage,
  refusedUpload,
  signedOutMessage,
  withUpload,
} from '../../http/form-endpoint.js'

type PicturePagesDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  readonly resources: Resources
  readonly vocabularies: { readonly 'rights-status': Vocabulary }
}

/** What was typed into a form. */
type Typed = ReadonlyMap<string, string>

export const picturePageEndpoints = (dependencies: PicturePagesDependencies): Endpoint[] => [
  ...picturedKinds.map((name) => new PicturesForm(dependencies, name).endpoint()),
  imageEndpoint(dependencies),
]

/** The page with the pictures of a record, and what its forms do. */
class PicturesForm {
  readonly #dependencies: PicturePagesDependencies
  readonly #catalogue: Catalogue
  readonly #pictures: Pictures
  readonly #resources: Resources
  readonly #name: PicturedKind
  /** What is done with a picture, by the name of the button. */
  readonly #actions: Readonly<
    Record<string, (reference: Reference, id: string, form: SubmittedForm) => Promise<unknown>>
  > = {
    save: (reference, id, form) => this.#pictures.change(reference, id, this.#parseForm(form)),
    first: (reference, id) => this.#pictures.change(reference, id, { position: 1 }),
    up: (reference, id) => {
      const index = this.#pictures.list(reference).findIndex((picture) => picture.id === id)
      return this.#pictures.change(reference, id, { position: Math.max(1, index) })
    },
    remove: (reference, id) => this.#pictures.remove(reference, id),
  }

  constructor(dependencies: PicturePagesDependencies, name: PicturedKind) {
    this.#dependencies = dependencies
    this.#catalogue = dependencies.catalogue
    this.#pictures = dependencies.pictures
    this.#resources = dependencies.resources
    this.#name = name
  }

  endpoint(): Endpoint {
    const name = this.#name
    const endpoint = createFormEndpoint(this.#dependencies, {
      path: editingRoutes.pictures(name),
      name: `${this.#resources[name].noun} Pictures`,
      description: 'The pictures of a record, with forms to add, describe, order and remove them.',
      record: name,
      render: (request) => this.#page(request),
      submit: (request, form) => this.#submit(request, form),
    })
    return withUpload(endpoint, (ctx) => this.#upload(ctx))
  }

  async #page(
    { ctx, context, account }: SignedInRequest,
    { notice, sent = new Map() }: { notice?: Notice; sent?: Typed } = {},
  ): Promise<VNode> {
    const reference = referenceOf(ctx, this.#name)
    const { record } = await readFor(this.#catalogue, account, reference)
    const textOf = (field: string): string => sent.get(field) ?? ''
    return (
      <PicturesPage
        {...{ context, resources: this.#resources, notice }}
        title={recordHeading(record, this.#resources)}
        path={recordPath(this.#name, reference.id)}
        action={editingLinks.pictures(this.#name, reference.id)}
        pictures={this.#pictures.list(reference)}
        sent={{
          alt: textOf('alt'),
          rights: textOf('rights'),
          credit: textOf('credit'),
          public: sent.has('public'),
        }}
      />
    )
  }

  /** A box that is not ticked is not sent. */
  #parseForm(form: SubmittedForm): PictureDescription {
    const { vocabularies } = this.#dependencies
    return parseNewDescription(
      new Map([['public', 'false'], ...form]),
      vocabularies['rights-status'],
    )
  }

  async #submit(request: SignedInRequest, form: SubmittedForm): Promise<VNode | Redirect> {
    const reference = referenceOf(request.ctx, this.#name)
    const action = form.get('do') ?? ''
    if (action === 'elsewhere') return this.#add(request, form, () => parseElsewhere(new Map(form)))
    const run = Object.hasOwn(this.#actions, action) ? this.#actions[action] : undefined
    if (!run)
      throw httpErrors.badRequest(
        message('This button is not known. Reload the page and try again.'),
      )
    return this.#orRefuse(request, new Map(form), async () => {
      const id = form.get('picture') ?? ''
      await this.#catalogue.withRecord(reference, request.account.name, () =>
        run(reference, id, form),
      )
      const done = action === 'remove' ? 'picture-removed' : 'saved'
      return { to: editingLinks.pictures(this.#name, reference.id), done }
    })
  }

  #add(
    request: SignedInRequest,
    form: SubmittedForm,
    readImage: () => Buffer | ElsewhereAddress,
  ): Promise<VNode | Redirect> {
    return this.#orRefuse(request, new Map(form), async () => {
      const reference = referenceOf(request.ctx, this.#name)
      const description = this.#parseForm(form)
      await this.#pictures.add(reference, readImage(), description, (work) =>
        this.#catalogue.withRecord(reference, request.account.name, work),
      )
      return { to: editingLinks.pictures(this.#name, reference.id), done: 'picture-added' }
    })
  }

  /** Shows the page again, and why something was not accepted. */
  async #orRefuse(
    request: SignedInRequest,
    sent: Typed,
    work: () => Promise<Redirect>,
  ): Promise<VNode | Redirect> {
    try {
      return await work()
    } catch (error) {
      const text = refusalOf(error)
      if (text === undefined) throw error
      request.ctx.status = 400
      return this.#page(request, { notice: { tone: 'wrong', text }, sent })
    }
  }

  /**
   * Takes a file. It is read only if it comes from a page of this service and an account that may
   * write.
   */
  #upload(ctx: RequestContext): Promise<void> {
    const { browsers, assets } = this.#dependencies
    return withErrorPage(ctx, this.#dependencies, async () => {
      const account = ctx.state.session?.account
      if (!account || !browsers.isOwnPage(ctx)) throw refusedUpload(ctx, signedOutMessage)
      if (!(await mayWriteRecord(this.#catalogue, account, referenceOf(ctx, this.#name))))
        throw refusedUpload(ctx, notAllowedMessage)
      const request = { ctx, account, context: pageContext(ctx, assets) }
      await readFor(this.#catalogue, account, referenceOf(ctx, this.#name))
      const sent = await readPictureUpload(ctx, (form) => browsers.verifyCsrf(ctx, form))
      send(ctx, await this.#add(request, sent.form, () => requireFile(sent)))
    })
  }
}

/** Why a picture or what is said about it is not accepted; undefined for other errors. */
const refusalOf = (error: unknown): Message | undefined =>
  error instanceof InvalidError || error instanceof ValidationError
    ? messageOf(error.body)
    : undefined

const referenceOf = (ctx: RequestContext, target: PicturedKind): Reference => ({
  target,
  id: recordIdParam(ctx),
})

/** An image that is not public, for browsers of accounts that may write its record. */
const imageEndpoint = (dependencies: PicturePagesDependencies): Endpoint => ({
  ...editingEndpoint({
    path: editingRoutes.pictureImage,
    name: 'Image of a Picture',
    description: 'An image, also one that is not public.',
  }),
  methods: {
    GET: (ctx) =>
      withErrorPage(ctx, dependencies, async () => {
        const { catalogue, pictures } = dependencies
        const foundPicture = pictures.find(ctx.params.picture ?? '')
        const account = ctx.state.session?.account
        if (!foundPicture || !(await mayWriteRecord(catalogue, account, foundPicture.reference)))
          throw new NotFoundError()
        ctx.set('Cache-Control', 'private, no-store')
        // Pages of other sites cannot show it.
        ctx.set('Cross-Origin-Resource-Policy', 'same-origin')
        await sendImage(ctx, pictures, namedSize(foundPicture.picture, ctx.params.size ?? '')?.hash)
      }),
  },
})
