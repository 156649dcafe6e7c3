import { describe, expect, it } from 'vitest'
import {
  afterSave,
  changesOf,
  conflictsOf,
  edit,
  edited,
  type Edits,
  editsTo,
  keepMine,
  overlapOf,
  takeSaved,
  typedSince,
  unsavedOf,
} from './edits.ts'

type Artwork = { title: string; price: number }
const saved: Artwork = { title: 'Haldi', price: 100 }
const NONE: Edits<Artwork> = {}

describe('edits over a record', () => {
  it('shows what was typed over what is saved', () => {
    expect(edited(saved, edit(saved, NONE, 'price', 200))).toEqual({ title: 'Haldi', price: 200 })
  })

  it('sends what was typed', () => {
    expect(changesOf(edit(saved, NONE, 'price', 200))).toEqual({ price: 200 })
  })

  it('are what makes one record of another', () => {
    expect(editsTo(saved, { title: 'Haldi', price: 200 })).toEqual({ price: { mine: 200, instead: 100 } })
  })

  it('overlap where both say something else', () => {
    const mine = editsTo(saved, { title: 'Kajal', price: 200 })
    expect(overlapOf(mine, editsTo(saved, { title: 'Kajal', price: 300 }))).toEqual({
      price: { mine: 200, instead: 100 },
    })
  })

  it('of a draft that is saved by now are none', () => {
    expect(unsavedOf({ title: 'Haldi', price: 200 }, editsTo(saved, { title: 'Kajal', price: 200 }))).toEqual(
      {
        title: { mine: 'Kajal', instead: 'Haldi' },
      },
    )
  })

  it('are none of what was set back, but where what was sent may be saved yet', () => {
    const typed = edit(saved, NONE, 'price', 200)
    expect(edit(saved, typed, 'price', 100)).toEqual({})
    const back = edit(saved, typed, 'price', 100, true)
    expect(unsavedOf(saved, back)).toEqual({ price: { mine: 100, instead: 100 } })
    expect(edit(saved, NONE, 'price', 100, true)).toEqual({})
    expect(unsavedOf({ ...saved, price: 200 }, back)).toEqual(back)
    expect(editsTo(saved, edited(saved, back))).toEqual({})
  })

  it('lets untouched fields follow the server, and keeps touched ones', () => {
    const edits = edit(saved, NONE, 'price', 200)
    expect(edited({ title: 'Haldi II', price: 100 }, edits)).toEqual({ title: 'Haldi II', price: 200 })
  })

  it('are none once the server holds the same', () => {
    const typed = edit(saved, NONE, 'price', 200)
    expect(unsavedOf({ ...saved, price: 200 }, typed)).toEqual({})
  })
})

describe('a change made elsewhere meanwhile', () => {
  const edits = edit(saved, NONE, 'price', 200)
  const elsewhere = { ...saved, price: 300 }

  it('is noticed with both values, also after more typing', () => {
    const more = edit(elsewhere, edits, 'price', 250)
    expect(conflictsOf(elsewhere, more)).toEqual([{ key: 'price', mine: 250, saved: 300 }])
  })

  it('is none when another field changed, or both mean the same', () => {
    expect(conflictsOf({ ...saved, title: 'Other' }, edits)).toEqual([])
    expect(conflictsOf({ ...saved, price: 200 }, edits)).toEqual([])
  })

  it('is none where what was typed is kept without its blanks within a line', () => {
    const typed = edit(saved, NONE, 'title', 'Haldi\t and  Kumkum ')
    expect(conflictsOf({ ...saved, title: 'Haldi and Kumkum' }, typed)).toEqual([])
    expect(conflictsOf({ ...saved, title: 'Haldi or Kumkum' }, typed)).toHaveLength(1)
    const lines = edit(saved, NONE, 'title', 'Haldi\nand Kumkum')
    expect(conflictsOf({ ...saved, title: 'Haldi and Kumkum' }, lines)).toHaveLength(1)
  })

  it('is settled by keeping mine', () => {
    const kept = keepMine(elsewhere, edits)
    expect(conflictsOf(elsewhere, kept)).toEqual([])
    expect(changesOf(kept)).toEqual({ price: 200 })
  })

  it('is settled by taking the saved one, which leaves the other edits', () => {
    const both = edit(saved, edits, 'title', 'Mine')
    const taken = takeSaved(elsewhere, both)
    expect(edited(elsewhere, taken)).toEqual({ title: 'Mine', price: 300 })
  })
})

describe('what was typed and what the server made of it', () => {
  const instead = { title: 'Haldi', price: 100 }

  it('are no conflict where they read the same', () => {
    const typed = edit(instead, {}, 'title', ' Haldi,\r\nagain ')
    expect(conflictsOf({ ...instead, title: 'Haldi,\nagain' }, typed)).toEqual([])
    expect(conflictsOf({ ...instead, title: 'Kajal' }, typed)).toHaveLength(1)
  })
})

describe('after a save', () => {
  it('nothing is left where an earlier save whose answer was lost had made the rest', () => {
    const title = edit(saved, NONE, 'title', 'Kajal')
    const made = { ...saved, title: 'Kajal' }
    const both = edit(made, title, 'price', 200)
    expect(afterSave({ ...made, price: 200 }, both, changesOf(both))).toEqual({})
  })

  it('what was typed meanwhile stays, over what is saved now', () => {
    const sent = edit(saved, NONE, 'price', 200)
    const typed = edit(saved, sent, 'price', 250)
    expect(afterSave({ ...saved, price: 200 }, typed, changesOf(sent))).toEqual({
      price: { mine: 250, instead: 200 },
    })
  })

  it('what was put back meanwhile as it was stays, over what is saved now', () => {
    const sent = edit(saved, NONE, 'price', 200)
    const back = edit(saved, sent, 'price', 100, true)
    expect(afterSave({ ...saved, price: 200 }, back, changesOf(sent))).toEqual({
      price: { mine: 100, instead: 200 },
    })
  })
})

describe('what was typed since a new record was sent', () => {
  const sent = { title: 'Haldi', price: 100 }
  const corrected = { title: 'Haldi', price: 200 }

  it('are edits of the one that was added', () => {
    expect(typedSince(sent, corrected, corrected, saved)).toEqual({ price: { mine: 200, instead: 100 } })
    expect(typedSince(sent, sent, sent, saved)).toEqual({})
  })

  it('is also what was put back while it was corrected, where no answer says that it was', () => {
    expect(typedSince(sent, sent, sent, saved, corrected)).toEqual({ price: { mine: 100, instead: 100 } })
    expect(typedSince(corrected, sent, sent, corrected, corrected)).toEqual({
      price: { mine: 100, instead: 200 },
    })
  })
})
