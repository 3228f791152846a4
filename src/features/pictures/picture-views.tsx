// Pictures of zines and holdings on pages: an image in the size that fits, and what is said about
// it.

import type { Resources } from '../../model/resources.js'
import { largestPath, sizeFor, sizePath } from './addresses.js'
import { type Picture, isPublicImage } from './picture.js'
import { editingLinks } from '../../views/links.js'
import { codeText, t } from '../../views/translate.js'

/** An image of a picture. Those that are not public are for the browsers of editors. */
export const PictureImage = ({
  picture,
  width,
  alt,
  isLazy = false,
}: {
  readonly picture: Picture
  /** How wide it is shown, in pixels; screens may have two for each. */
  readonly width: number
  readonly alt: string
  readonly isLazy?: boolean
}) => {
  const size = sizeFor(picture, width)
  if (!size) return null
  const src = picture.public
    ? sizePath(picture, size)
    : editingLinks.pictureImage(picture.id, `${size.width},${size.height}`)
  return (
    <img
      class="picture"
      src={src}
      width={size.width}
      height={size.height}
      alt={alt}
      {...(isLazy && { loading: 'lazy' })}
      decoding="async"
    />
  )
}

/** The text for people who do not see a picture; where there is none, what it is a picture of. */
export const altOf = ({ alt }: Picture, index: number, title: string): string =>
  alt ||
  (index === 0
    ? t('Cover of {title}', { title })
    : t('Picture {number} of {title}', { number: index + 1, title }))

/**
 * Pictures of a record, one below the other, the first one large.
 * @param first the place of the first of these among the pictures of the record
 */
export const PictureGallery = ({
  pictures,
  title,
  resources,
  first = 0,
}: {
  readonly pictures: readonly Picture[]
  readonly first?: number
  readonly title: string
  readonly resources: Resources
}) => (
  <>
    {pictures
      .map((picture, place) => [picture, first + place] as const)
      .map(([picture, index]) => (
        <figure key={picture.id} class={index === 0 ? 'shown first' : 'shown'}>
          <FullSizeLink picture={picture}>
            <PictureImage
              picture={picture}
              width={index === 0 ? 400 : 200}
              alt={altOf(picture, index, title)}
              isLazy={index > 0}
            />
          </FullSizeLink>
          <PictureCaption picture={picture} resources={resources} />
        </figure>
      ))}
  </>
)

const FullSizeLink = ({
  picture,
  children,
}: {
  readonly picture: Picture
  readonly children: preact.ComponentChildren
}) => (isPublicImage(picture) ? <a href={largestPath(picture)}>{children}</a> : <>{children}</>)

/** Where a picture is, whom it is from, and what may be done with it. */
export const PictureCaption = ({
  picture: { elsewhere, credit, rights, public: isPublic },
  resources,
}: {
  readonly picture: Picture
  readonly resources: Resources
}) => {
  const entry = rightsOf(resources)?.find(rights)
  const parts = [
    !isPublic && <span class="private">{t('not public')}</span>,
    elsewhere && (
      <a href={elsewhere.url} rel="nofollow noopener">
        {elsewhere.type === 'image' ? t('Image elsewhere (IIIF)') : t('Pictures elsewhere (IIIF)')}
      </a>
    ),
    credit !== '' && <span dir="auto">{credit}</span>,
    entry && <span>{codeText(rightsOf(resources), rights)}</span>,
  ].filter(Boolean)
  return parts.length === 0 ? null : (
    <figcaption class="line">
      {parts.map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </figcaption>
  )
}

/** The rights that a picture may have: those of zines. */
export const rightsOf = ({ zines }: Resources) => zines.byName.get('rights')?.vocabulary
