import { isOwnImage } from '#web/contract/artwork-address.ts'
import type { Artwork } from '#web/contract/artworks.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { AddressImage } from '../form/address-image.tsx'
import { ImageDrop, usePastedImage } from '../form/image-drop.tsx'
import { TextField } from '../form/text-fields.tsx'
import { Thumb } from './thumb.tsx'
import type { ArtworkImage, ImageMode } from './use-artwork-form.ts'
import styles from './artwork-image.module.css'

const IMAGE_URL = 'Image URL'
const NEW_URL = 'New URL'
const NEW_MODES: readonly { value: ImageMode; label: string }[] = [
  { value: 'upload', label: 'Upload File' },
  { value: 'url', label: IMAGE_URL },
]
const EDIT_MODES: readonly { value: ImageMode; label: string }[] = [
  { value: 'current', label: 'Keep current' },
  { value: 'upload', label: 'Upload new file' },
  { value: 'url', label: NEW_URL },
]

/** Which of the three ways the image comes. */
export function ImageModes({ image, isNew }: { image: ArtworkImage; isNew: boolean }) {
  return (
    <Segmented
      name="Image source"
      value={image.mode}
      options={isNew ? NEW_MODES : EDIT_MODES}
      onChange={image.choose}
    />
  )
}

type ArtworkImagePartProps = {
  image: ArtworkImage
  /** the saved artwork; null for a new one */
  artwork: Artwork | null
  /** the address in the form */
  imageUrl: string
  error: string | undefined
}

/** The image itself, in the way that was chosen. A pasted image is taken in every way. */
export function ArtworkImagePart({ image, artwork, imageUrl, error }: ArtworkImagePartProps) {
  usePastedImage(image.take)
  // "Keep current", pressed while another one was saved: the one of before is sent next.
  if (image.mode === 'current' && imageUrl === artwork?.imageUrl) {
    return (
      <div className={styles.current} role="group" aria-label="Current picture">
        <Thumb artwork={artwork} sizes="17rem" />
      </div>
    )
  }
  if (image.mode === 'url') {
    return (
      <div className={styles.address}>
        <TextField
          label={artwork ? NEW_URL : IMAGE_URL}
          type="url"
          inputMode="url"
          placeholder="https://"
          autoCapitalize="none"
          spellCheck={false}
          value={image.address}
          onChange={image.setAddress}
          error={error}
        />
        <AddressImage address={image.address} className={styles.current} alt="Preview" />
      </div>
    )
  }
  const isChosen = isOwnImage(imageUrl) && imageUrl !== artwork?.imageUrl
  return (
    <ImageDrop upload={image.upload} shown={isChosen ? imageUrl : null} onFile={image.take} error={error} />
  )
}
