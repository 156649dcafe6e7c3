import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { ACHIEVEMENT_DEFAULTS, ACHIEVEMENTS } from '../../lib/constants.ts'
import * as FALLBACK from '../../lib/fallback.ts'
import { Switch } from '../../ui/switch.tsx'
import { fieldsOf, SelectField, TextArea, TextField } from '../form/text-fields.tsx'
import type { EditedForm } from '../lib/edits.ts'
import type { Upload } from '../lib/upload.ts'
import { useFirstSteps } from './first-steps.ts'
import { CONTENT_SECTIONS, headingIdOf, type SectionId } from './content-words.ts'
import { type ContentValues, labelOf, type TextKey } from './content-values.ts'
import { ProfileField } from './profile-field.tsx'
import { RichTextField } from './rich-text-field.tsx'
import { TestCode } from './test-code.tsx'
import field from '../form/field.module.css'
import styles from './content-fields.module.css'
import { useDashboardParts } from '../lib/dashboard-parts.ts'

const BIO_ROWS = 8
const RICH_TEXT_ROWS = 3
const PARAGRAPH_ROWS = 3

const KINDS = [
  { value: '', label: 'Not chosen' },
  { value: 'personal', label: 'Personal' },
  { value: 'merchant', label: 'Merchant' },
] as const

type ContentFieldsProps = {
  form: EditedForm<ContentValues>
  upload: Upload
  errors: Readonly<Record<string, string>>
}

/** Every field of the homepage, group by group. */
export function ContentFields({ form, upload, errors }: ContentFieldsProps) {
  const { value, set } = form
  // While the list of first steps stands above, the test code is there; said to be done, it holds no code.
  const isAbove = useFirstSteps()?.some(({ done }) => !done) ?? false
  useShownField()
  const at = fieldsOf(form, labelOf, errors)
  return (
    <>
      <Group id="artist">
        <TextField placeholder={FALLBACK.artistName} {...at('artistName')} />
        <ProfileField {...at('profileImageUrl')} upload={upload} />
        <RichTextField rows={RICH_TEXT_ROWS} {...at('artistDescription')} />
        <TextArea rows={BIO_ROWS} {...at('artistBio')} />
      </Group>
      <Group id="hero" remark="The poster at the top of the page">
        <TextField
          hint="Empty means the Artist Name is used."
          placeholder={value.artistName || FALLBACK.artistName}
          {...at('heroTitle')}
        />
        <TextArea rows={2} {...at('heroSubtitle')} />
        <Pair>
          <TextField {...at('heroPrimaryButtonText')} />
          <TextField {...at('heroSecondaryButtonText')} />
        </Pair>
      </Group>
      <Group id="quote">
        <TextArea rows={2} {...at('artistQuote')} />
        <TextField {...at('quoteBulletPoint1')} />
        <TextField {...at('quoteBulletPoint2')} />
        <TextField {...at('quoteBulletPoint3')} />
      </Group>
      <Group id="biography">
        <TextArea rows={PARAGRAPH_ROWS} {...at('bioParagraph3')} />
        <TextArea rows={PARAGRAPH_ROWS} {...at('bioParagraph4')} />
      </Group>
      <Group id="achievements" remark="Empty lines show the defaults">
        <div data-field="showAchievements">
          <Switch
            label={labelOf('showAchievements')}
            hint="Off: the four figures are not on the page."
            checked={value.showAchievements}
            onChange={(shown) => set('showAchievements', shown)}
          />
        </div>
        {ACHIEVEMENTS.map((each) => (
          <Achievement key={each} number={each} at={at} />
        ))}
        <p className={field.hint}>
          An icon is a name such as book, spark, hand, brush, star, heart, award; or any sign.
        </p>
      </Group>
      <Group id="contact">
        <Pair>
          <TextField type="email" placeholder={FALLBACK.contactEmail} {...at('contactEmail')} />
          <TextField
            type="tel"
            hint="With the country code, e.g. +91 98200 12345."
            {...at('contactWhatsapp')}
          />
        </Pair>
        <TextArea rows={2} placeholder={FALLBACK.contactAddress} {...at('contactAddress')} />
      </Group>
      <Group id="payments" remark="UPI: from these the QR codes of your works are made">
        <Pair>
          <TextField
            hint="It looks like name@bank. Without it no work shows a QR code."
            placeholder="name@bank"
            autoCapitalize="none"
            spellCheck={false}
            {...at('upiId')}
          />
          <TextField hint="As the payer’s app shows it." {...at('upiPayeeName')} />
        </Pair>
        {!isAbove && <TestCode />}
        <SelectField
          label={labelOf('upiKind')}
          hint="Payment apps open directly for merchant IDs only; for a personal one buyers scan or copy."
          value={value.upiKind}
          options={KINDS}
          onChange={(kind) => set('upiKind', kind)}
          error={errors['upiKind']}
        />
      </Group>
      <Group id="journal">
        <TextField
          type="url"
          hint="The home page of your blog, e.g. your-name.blogspot.com. Its posts come into the journal by themselves."
          placeholder="https://"
          autoCapitalize="none"
          spellCheck={false}
          {...at('blogUrl')}
        />
      </Group>
    </>
  )
}

type At = (key: TextKey) => Pick<ComponentProps<typeof TextField>, 'name' | 'value' | 'onChange' | 'error'>

/** Icon, number and label of one figure; what stands there when both texts are empty shows through. */
function Achievement({ number, at }: { number: (typeof ACHIEVEMENTS)[number]; at: At }) {
  const preset = ACHIEVEMENT_DEFAULTS[number]
  // The first line's labels stand above the whole column.
  const isBelow = number > 1
  return (
    <div className={styles.achievement} role="group" aria-label={`Achievement ${number}`}>
      <TextField {...at(`achievement${number}Icon`)} label="Icon" quiet={isBelow} placeholder={preset.icon} />
      <TextField
        {...at(`achievement${number}Number`)}
        label="Number"
        quiet={isBelow}
        placeholder={preset.number}
      />
      <TextField
        {...at(`achievement${number}Label`)}
        label="Label"
        quiet={isBelow}
        placeholder={preset.label}
      />
    </div>
  )
}

type GroupProps = { id: SectionId; remark?: string; children: ReactNode }

function Group({ id, remark, children }: GroupProps) {
  const headingId = headingIdOf(id)
  return (
    <fieldset className={styles.group} aria-labelledby={headingId}>
      <div className={styles.name}>
        <h3 id={headingId} tabIndex={-1}>
          {CONTENT_SECTIONS[id]}
        </h3>
        {remark && <small>{remark}</small>}
      </div>
      <div className={styles.fields}>{children}</div>
    </fieldset>
  )
}

function Pair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}

/** Leads to the field that was asked for elsewhere in the dashboard, once the form stands. */
function useShownField(): void {
  const { wish, settle } = useDashboardParts()
  useEffect(() => {
    if (wish?.kind !== 'field') return
    focusField(wish.field)
    settle()
  }, [wish, settle])
}

/** Puts a field of the content form into view and the focus into it. */
export function focusField(field: keyof ContentValues): void {
  const find = (what: string) => document.querySelector<HTMLElement>(`[data-dashboard] form ${what}`)
  const element =
    find(`[name="${field}"]`) ?? find(`[data-field="${field}"] :is([role="switch"], input:checked)`)
  element?.scrollIntoView({ block: 'center' })
  element?.focus({ preventScroll: true })
}
