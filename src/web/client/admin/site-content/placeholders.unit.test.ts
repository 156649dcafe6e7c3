import { describe, expect, it } from 'vitest'
import { makeSiteContent } from '#web/contract/testing/make-page-data.ts'
import { placeholdersOf } from './content-values.ts'

const hers = {
  contactEmail: 'asha@example.in',
  profileImageUrl: '/images/a/original-view.jpg',
  heroSubtitle: 'Light on water',
  showAchievements: false,
  upiId: 'asha@bank',
}
const namesOf = (change: Parameters<typeof makeSiteContent>[0]) =>
  placeholdersOf(makeSiteContent({ ...hers, ...change })).map(({ field }) => field)

describe('what is still a placeholder', () => {
  it('is everything on a site where nothing was set', () => {
    const nothing = {
      contactEmail: '',
      profileImageUrl: '',
      heroSubtitle: '',
      showAchievements: true,
      upiId: '',
    }
    expect(namesOf(nothing)).toEqual([
      'contactEmail',
      'profileImageUrl',
      'heroSubtitle',
      'showAchievements',
      'upiId',
    ])
  })

  it('is nothing once all of it is hers or off the page', () => {
    expect(namesOf({})).toEqual([])
  })

  it('is the achievements while one of the four is invented and they are shown', () => {
    const four = {
      achievement1Number: '12',
      achievement2Label: 'Shows',
      achievement3Number: '3',
      achievement4Number: '4',
    }
    expect(namesOf({ ...four, showAchievements: true })).toEqual([])
    expect(namesOf({ ...four, achievement3Number: '', showAchievements: true })).toEqual(['showAchievements'])
  })
})
