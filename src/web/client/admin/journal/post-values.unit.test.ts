import { expect, it } from 'vitest'
import { bodyOf } from './post-dialog.tsx'

it('sends typed words as overrides and dropped ones as null', () => {
  expect(bodyOf({ title: 'Mine' }, new Set(['excerpt']))).toEqual({ title: 'Mine', excerpt: null })
})
