import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Combobox } from '../../ui/combobox.tsx'
import { ADMIN_WORDS } from '../admin-constants.ts'
import { Field } from '../form/field.tsx'
import { fieldErrors } from '../lib/failure.ts'
import { useSave } from '../lib/save.ts'
import { useLatest } from '../lib/use-latest.ts'
import type { Entry } from '../taxonomy/entry-values.ts'
import { KINDS, type TermField } from '../taxonomy/kinds.ts'
import { isUnknown, nameOptions, searchNames, type TypedName } from './typed-names.ts'

type NameFieldProps = {
  name: TermField
  label: string
  /** undefined while they are not known, or not as they are now */
  entries: readonly Entry[] | undefined
  value: string
  /** the name was chosen in this form */
  isChosen: boolean
  /** the name that the saved artwork bears */
  saved: string
  /** what is typed and chosen yet as little as added */
  typed: TypedName
  onChange: (name: string) => void
  error: string | undefined
}

const NONE: readonly Entry[] = []

/** The category or medium of an artwork: typing narrows the list, and a name that is not there can be added at once. */
export function NameField({
  name: kind,
  label,
  entries: known,
  value,
  isChosen,
  saved,
  typed,
  onChange,
  error,
}: NameFieldProps) {
  const texts = KINDS[kind]
  const none = `No ${kind}`
  const { save, pending, failure, reset } = useSave(texts.calls.add, {
    success: texts.created,
    failure: texts.createFailed,
  })
  const isAdding = useRef(false)
  const [added, setAdded] = useState<string | null>(null)
  const entries = known ?? NONE
  // Renamed or deleted since it was chosen. One that bears such a name for long keeps it.
  const isGone = isChosen && value !== added && isUnknown(value, known)
  const latest = useLatest(typed)
  useEffect(() => {
    if (!isGone || latest.current.text !== null) return
    latest.current.type(value)
    latest.current.leave()
  }, [isGone, value, latest])
  const options = nameOptions(entries, [saved, isGone ? '' : value], none)
  const text = typed.text ?? ''
  const { fitting, named, off, addable } = searchNames(options, entries, text)
  const chosen = value === '' ? undefined : options.find((option) => option.value === value)

  const choose = (name: string): void => {
    reset()
    typed.settle()
    onChange(name)
  }
  const add = async (name: string): Promise<boolean> => {
    const result = await save({ body: { name } })
    isAdding.current = false
    // In the form at once: who waits for it sends the form next.
    if (result.ok)
      flushSync(() => {
        setAdded(result.answer.name)
        choose(result.answer.name)
      })
    return result.ok
  }
  const addOnce = (name: string): void => {
    // Pressed twice, it is added once.
    if (isAdding.current) return
    isAdding.current = true
    typed.addedBy(add(name))
  }

  const open =
    off === null
      ? `“${text.trim()}” is not in the list ${isGone && text === value ? 'any more' : 'yet'}: add it there, or choose another one.`
      : `“${off}” is switched off: switch it on under Categories, or choose another one.`
  const wrong = failure && (fieldErrors(failure)['name'] ?? failure.message)
  return (
    <Field
      label={label}
      hint={pending ? ADMIN_WORDS.adding : undefined}
      error={wrong ?? (typed.hasLeft ? open : typed.text === null ? error : undefined)}
    >
      {({ id, describedBy, invalid }) => (
        <Combobox
          id={id}
          label={label}
          text={typed.text ?? chosen?.label ?? ''}
          chosen={value}
          options={typed.text === null ? options : fitting}
          extra={addable === null ? undefined : { label: `Add “${addable}”`, run: () => addOnce(addable) }}
          placeholder={none}
          busy={pending}
          describedBy={describedBy}
          invalid={invalid}
          onType={(next) => {
            reset()
            typed.type(next)
          }}
          onChoose={choose}
          onLeave={() => {
            if (typed.text === null || pending) return
            if (named) choose(named.value)
            else typed.leave()
          }}
        />
      )}
    </Field>
  )
}
