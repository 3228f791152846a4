// The page on which pictures of a zine or a holding are added, described, ordered and removed. It
// works without scripts.

import { maxAltLength, maxCreditLength } from './description.js'
import type { Picture, PictureDescription } from './picture.js'
import type { Resources } from '../../model/resources.js'
import { CodeOptions } from '../../views/components/code-options.js'
import { PictureCaption, PictureImage, altOf, rightsOf } from './picture-views.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import { Csrf, type PageContext } from '../../views/layout.js'
import { t } from '../../views/translate.js'

export type PicturesPageProps = {
  readonly context: PageContext
  /** The title of the record. */
  readonly title: string
  /** The page of the record. */
  readonly path: string
  /** The address of this page, to which the forms are sent. */
  readonly action: string
  readonly pictures: readonly Picture[]
  readonly resources: Resources
  readonly notice: Notice | undefined
  /** What was sent last and not accepted, for a new picture. */
  readonly sent: PictureDescription
}

export const PicturesPage = (props: PicturesPageProps) => {
  const { context, title, path, pictures, notice } = props
  return (
    <FormPage context={context} title={t('Pictures of {title}', { title })} notice={notice}>
      <p class="lead">
        <a href={path} dir="auto">
          {title}
        </a>
        {pictures.length === 0
          ? ` ${t('has no pictures yet.')}`
          : ` ${t('has these pictures. The first one is the cover.')} `}
        {` ${t('Everybody sees those that are marked as public.')}`}
      </p>
      {pictures.map((picture, index) => (
        <PicturePanel key={picture.id} {...props} picture={picture} index={index} />
      ))}
      <AddFile {...props} />
      <AddElsewhere {...props} />
    </FormPage>
  )
}

type PanelProps = PicturesPageProps & { readonly picture: Picture; readonly index: number }

const PicturePanel = (props: PanelProps) => {
  const { context, action, picture, index, title, resources } = props
  const heading = index === 0 ? t('Cover') : t('Picture {number}', { number: index + 1 })
  return (
    <section class="panel picture-panel" aria-labelledby={`picture-${picture.id}`}>
      <figure>
        <PictureImage picture={picture} width={200} alt={altOf(picture, index, title)} />
        <PictureCaption picture={picture} resources={resources} />
      </figure>
      <div>
        <h2 id={`picture-${picture.id}`}>{heading}</h2>
        <form method="post" action={action} aria-label={heading}>
          <Csrf token={context.csrf} />
          <input type="hidden" name="picture" value={picture.id} />
          <DescriptionFields name={picture.id} description={picture} resources={resources} />
          <p class="actions">
            <button name="do" value="save">
              {t('Save')}
            </button>
            {index > 0 && (
              <>
                <button class="quiet" name="do" value="up">
                  {t('Move up')}
                </button>
                <button class="quiet" name="do" value="first">
                  {t('Make it the cover')}
                </button>
              </>
            )}
          </p>
        </form>
        <details>
          <summary>{t('Remove {heading}', { heading: heading.toLowerCase() })}</summary>
          <form method="post" action={action}>
            <Csrf token={context.csrf} />
            <input type="hidden" name="picture" value={picture.id} />
            <p class="hint">{t('The picture is removed for good. It is not in the history.')}</p>
            <button class="danger" name="do" value="remove">
              {t('Remove for good')}
            </button>
          </form>
        </details>
      </div>
    </section>
  )
}

const AddFile = ({ context, action, resources, sent }: PicturesPageProps) => (
  <section class="panel" aria-labelledby="add-file">
    <h2 id="add-file">{t('Add a picture')}</h2>
    <form method="post" action={action} enctype="multipart/form-data">
      <Csrf token={context.csrf} />
      <div class="field">
        <label for="file">{t('File')}</label>
        <p class="hint" id="file-hint">
          {t(
            'JPEG, PNG, WebP or GIF, up to 10 MB. What a camera writes into it, such as the place, is left out.',
          )}
        </p>
        <input
          type="file"
          id="file"
          name="file"
          accept="image/jpeg,image/png,image/webp,image/gif"
          aria-describedby="file-hint"
          required
        />
      </div>
      <DescriptionFields name="new" description={sent} resources={resources} />
      <p class="actions">
        <button>{t('Add picture')}</button>
      </p>
    </form>
  </section>
)

const AddElsewhere = ({ context, action, resources }: PicturesPageProps) => (
  <section class="panel" aria-labelledby="add-elsewhere">
    <h2 id="add-elsewhere">{t('Add pictures that are elsewhere')}</h2>
    <details>
      <summary>{t('The address of a IIIF image or manifest')}</summary>
      <form method="post" action={action}>
        <Csrf token={context.csrf} />
        <div class="field">
          <label for="url">{t('Address')}</label>
          <p class="hint" id="url-hint">
            {t('Pages link to it. Nothing of it is copied, and nothing is fetched from there.')}
          </p>
          <input type="url" id="url" name="url" aria-describedby="url-hint" required />
        </div>
        <div class="field">
          <label for="iiif">{t('What is there')}</label>
          <select id="iiif" name="iiif">
            <option value="image">{t('An image (Image API)')}</option>
            <option value="manifest">{t('A manifest (Presentation API)')}</option>
          </select>
        </div>
        <DescriptionFields name="elsewhere" description={nothing} resources={resources} />
        <p class="actions">
          <button name="do" value="elsewhere">
            {t('Add address')}
          </button>
        </p>
      </form>
    </details>
  </section>
)

const nothing: PictureDescription = { alt: '', rights: '', credit: '', public: false }

const DescriptionFields = ({
  name,
  description: { alt, rights, credit, public: isPublic },
  resources,
}: {
  /** What distinguishes these fields from those of other forms of the page. */
  readonly name: string
  readonly description: PictureDescription
  readonly resources: Resources
}) => (
  <>
    <div class="field">
      <label for={`alt-${name}`}>{t('What is to be seen')}</label>
      <p class="hint" id={`alt-${name}-hint`}>
        {t(
          'For people who do not see the picture: in a sentence or two, with the words that are on it.',
        )}
      </p>
      <textarea
        id={`alt-${name}`}
        name="alt"
        maxLength={maxAltLength}
        aria-describedby={`alt-${name}-hint`}
        value={alt}
      />
    </div>
    <div class="field">
      <label for={`credit-${name}`}>{t('Credit')}</label>
      <p class="hint" id={`credit-${name}-hint`}>
        {t('Whom the picture is from.')}
      </p>
      <input
        type="text"
        id={`credit-${name}`}
        name="credit"
        maxLength={maxCreditLength}
        aria-describedby={`credit-${name}-hint`}
        value={credit}
      />
    </div>
    <div class="field">
      <label for={`rights-${name}`}>{t('Rights')}</label>
      <select id={`rights-${name}`} name="rights">
        <option value="">{t('Not said')}</option>
        <CodeOptions vocabulary={rightsOf(resources)} current={rights} />
      </select>
    </div>
    <div class="field">
      <label class="choice">
        <input type="checkbox" name="public" value="true" checked={isPublic} />
        {t('Public: everybody may see it')}
      </label>
    </div>
  </>
)
