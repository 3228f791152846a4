// The page on which pictures of a zine or a holding are added, described, ordered and removed. It
// works without scripts.

import { maxAltLength, maxCreditLength } from './description.js'
import type { Picture, PictureDescription } from './picture.js'
import { noFilesTaken, takesFiles } from './processing.js'
import type { Resources } from '../../model/resources.js'
import { PictureCaption, PictureImage, altOf, rightsOf } from './picture-views.js'
import { Panel } from '../../views/components/panel.js'
import { SelectRow, codeOptions } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { FormPage, LabelledField, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
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
        {` ${t('Everyone sees those that are marked as public.')}`}
      </p>
      {pictures.map((picture, index) => (
        <PicturePanel key={picture.id} {...props} picture={picture} index={index} />
      ))}
      {takesFiles ? <AddFile {...props} /> : <p>{t(noFilesTaken)}</p>}
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
        <Form context={context} action={action} aria-label={heading}>
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
        </Form>
        <details>
          <summary>{t('Remove {heading}', { heading: heading.toLowerCase() })}</summary>
          <Form context={context} action={action}>
            <input type="hidden" name="picture" value={picture.id} />
            <p class="hint">{t('The picture is deleted permanently. It is not in the history.')}</p>
            <button class="danger" name="do" value="remove">
              {t('Delete permanently')}
            </button>
          </Form>
        </details>
      </div>
    </section>
  )
}

const AddFile = ({ context, action, resources, sent }: PicturesPageProps) => (
  <Panel id="add-file" title={t('Add a picture')}>
    <Form context={context} action={action} enctype="multipart/form-data">
      <LabelledField
        id="file"
        label={t('File')}
        hint={t(
          'JPEG, PNG, WebP or GIF, up to 10 MB. What a camera writes into it, such as the place, is left out.',
        )}
      >
        <input
          type="file"
          id="file"
          name="file"
          accept="image/jpeg,image/png,image/webp,image/gif"
          aria-describedby="file-hint"
          required
        />
      </LabelledField>
      <DescriptionFields name="new" description={sent} resources={resources} />
      <p class="actions">
        <button>{t('Add picture')}</button>
      </p>
    </Form>
  </Panel>
)

const AddElsewhere = ({ context, action, resources }: PicturesPageProps) => (
  <Panel id="add-elsewhere" title={t('Add pictures that are elsewhere')}>
    <details>
      <summary>{t('The address of a IIIF image or manifest')}</summary>
      <Form context={context} action={action}>
        <LabelledField
          id="url"
          label={t('Address')}
          hint={t('Pages link to it. Nothing of it is copied, and nothing is fetched from there.')}
        >
          <input type="url" id="url" name="url" aria-describedby="url-hint" required />
        </LabelledField>
        <SelectRow
          name="iiif"
          label={t('What is there')}
          options={[
            ['image', t('An image (Image API)')],
            ['manifest', t('A manifest (Presentation API)')],
          ]}
        />
        <DescriptionFields name="elsewhere" description={nothing} resources={resources} />
        <p class="actions">
          <button name="do" value="elsewhere">
            {t('Add address')}
          </button>
        </p>
      </Form>
    </details>
  </Panel>
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
    <LabelledField
      id={`alt-${name}`}
      label={t('Description')}
      hint={t(
        'For people who do not see the picture: in a sentence or two, with the words that are on it.',
      )}
    >
      <textarea
        id={`alt-${name}`}
        name="alt"
        maxLength={maxAltLength}
        aria-describedby={`alt-${name}-hint`}
        value={alt}
      />
    </LabelledField>
    <LabelledField id={`credit-${name}`} label={t('Credit')} hint={t('Photographer or source.')}>
      <input
        type="text"
        id={`credit-${name}`}
        name="credit"
        maxLength={maxCreditLength}
        aria-describedby={`credit-${name}-hint`}
        value={credit}
      />
    </LabelledField>
    <SelectRow
      id={`rights-${name}`}
      name="rights"
      label={t('Rights')}
      value={rights}
      options={[['', t('Not stated')], ...codeOptions(rightsOf(resources))]}
    />
    <div class="field">
      <label class="choice">
        <input type="checkbox" name="public" value="true" checked={isPublic} />
        {t('Public: everyone may see it')}
      </label>
    </div>
  </>
)
