import { type ReactNode, useState } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { offered } from '#web/contract/details.ts'
import { defaultAltText } from '#web/contract/forms.ts'
import { Switch } from '../../ui/switch.tsx'
import { fieldsOf, SelectField, TextArea, TextField } from '../form/text-fields.tsx'
import { useCategories, useMediums } from '../lib/queries.ts'
import type { EditedForm } from '../lib/edits.ts'
import { ARTWORK_WORDS, SALE_STATUS_OPTIONS } from './artworks-words.ts'
import { NameField } from './name-field.tsx'
import { QrField } from './qr-field.tsx'
import type { TypedNames } from './typed-names.ts'
import { type ArtworkValues, FIELD_WORDS, NO_PRICE, SWITCHED, SWITCHES } from './artwork-values.ts'
import styles from './artwork-inputs.module.css'

type ArtworkInputsProps = {
  form: EditedForm<ArtworkValues>
  /** the saved artwork; null for a new one */
  artwork: Artwork | null
  /** category and medium while they are typed */
  names: TypedNames
  /** messages by field */
  errors: Readonly<Record<string, string>>
}

/** Every field of an artwork but its image. */
export function ArtworkInputs({ form, artwork, names, errors }: ArtworkInputsProps) {
  const { value, set } = form
  const sets = { category: useCategories(), medium: useMediums() }
  const at = fieldsOf(form, (key) => FIELD_WORDS[key], errors)
  return (
    <>
      <TextField required {...at('title')} />
      <TextArea rows={3} {...at('description')} />
      <Pair>
        <TextField
          inputMode="numeric"
          autoComplete="off"
          placeholder="Price in rupees"
          // Typed before the 0 that stands there, a price would be ten times what was meant.
          onClick={({ currentTarget }) => value.price === NO_PRICE && currentTarget.select()}
          hint={/^[₹\s0]*$/.test(value.price) ? '₹0 means: Price on request on the site.' : undefined}
          {...at('price')}
        />
        <TextField inputMode="numeric" autoComplete="off" {...at('yearCreated')} />
      </Pair>
      <Pair>
        {(['category', 'medium'] as const).map((kind) => (
          <NameField
            key={kind}
            entries={sets[kind].isSuccess ? sets[kind].data : undefined}
            isChosen={kind in form.changes}
            saved={artwork?.[kind] ?? ''}
            typed={names[kind]}
            {...at(kind)}
          />
        ))}
      </Pair>
      <Pair>
        <TextField placeholder="122 × 81 cm" {...at('dimensions')} />
        <SelectField
          label={ARTWORK_WORDS.saleStatus}
          value={value.saleStatus}
          options={SALE_STATUS_OPTIONS}
          onChange={(saleStatus) => set('saleStatus', saleStatus)}
          error={errors['saleStatus']}
        />
      </Pair>
      {offered.map(({ field, options }) =>
        options ? (
          <SelectField key={field} options={options} {...at(field)} />
        ) : (
          <TextField key={field} {...at(field)} />
        ),
      )}
      <div className={styles.switches}>
        {SWITCHED.map((field) => (
          <Switch
            key={field}
            label={FIELD_WORDS[field]}
            hint={SWITCHES[field]}
            checked={value[field]}
            onChange={(on) => set(field, on)}
          />
        ))}
      </div>
      <More
        filled={value.altText !== '' || value.qrCodeUrl !== ''}
        wrong={errors['altText'] !== undefined || errors['qrCodeUrl'] !== undefined}
      >
        <TextField
          hint="What the picture shows, for people who cannot see it."
          placeholder={defaultAltText(value)}
          {...at('altText')}
        />
        <QrField {...at('qrCodeUrl')} onSend={names.addedBy} />
      </More>
    </>
  )
}

/**
 * The rarer fields. They open by themselves when something stands in them or is wrong there, and never close by
 * themselves: emptying a field must not take it away from under the cursor.
 */
function More({ filled, wrong, children }: { filled: boolean; wrong: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(filled || wrong)
  const [known, setKnown] = useState({ filled, wrong })
  if (known.filled !== filled || known.wrong !== wrong) {
    setKnown({ filled, wrong })
    if ((filled && !known.filled) || (wrong && !known.wrong)) setOpen(true)
  }
  return (
    <details
      className={styles.more}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>More details</summary>
      <div>{children}</div>
    </details>
  )
}

function Pair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
