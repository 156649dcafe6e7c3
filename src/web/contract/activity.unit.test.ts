import { describe, expect, it } from 'vitest'
import { activityFilter } from './activity.ts'
import { refusal } from './testing/refusal.ts'
import { sampleArtwork } from './testing/samples.ts'

describe('the filter of the activity', () => {
  it('takes empty values for none', () => {
    expect(activityFilter.parse({ artworkId: '', before: '', limit: '' })).toEqual({})
  })

  it('reads its limit from text', () => {
    expect(activityFilter.parse({ artworkId: sampleArtwork.id, before: '12', limit: '200' })).toEqual({
      artworkId: sampleArtwork.id,
      before: '12',
      limit: 200,
    })
  })

  it.each(['0', '201', '1.5', 'many'])('refuses the limit %s', (limit) => {
    expect(refusal(activityFilter, { limit }).fields).toEqual({
      limit: 'limit must be a whole number between 1 and 200',
    })
  })
})
