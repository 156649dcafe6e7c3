import { describe, expect, it } from 'vitest'
import { siteContent, siteContentChange } from './site-content.ts'
import { refusal } from './testing/refusal.ts'
import { emptySite, ownImage } from './testing/samples.ts'

const settable = Object.keys(siteContent.shape).filter((key) => !['id', 'version', 'updatedAt'].includes(key))

describe('a change to the site', () => {
  it('holds only what was sent', () => {
    expect(Object.keys(siteContentChange.parse({ heroTitle: 'Rain' }))).toEqual(['heroTitle'])
  })

  it('may be the record as GET answered it, also of a site with nothing in it', () => {
    expect(Object.keys(siteContentChange.parse(emptySite)).sort()).toEqual([...settable].sort())
  })

  it.each(settable.filter((key) => key !== 'showAchievements'))('can empty %s', (key) => {
    expect(siteContentChange.parse({ [key]: '' })).toEqual({ [key]: '' })
  })

  it.each(settable)('refuses a number for %s', (key) => {
    expect(Object.keys(refusal(siteContentChange, { [key]: 5 }).fields ?? {})).toEqual([key])
  })

  it('refuses unknown keys', () => {
    expect(refusal(siteContentChange, { achievement5Label: 'x' }).fields).toHaveProperty('achievement5Label')
  })

  it.each([
    ['artistName', 200],
    ['heroTitle', 200],
    ['heroSubtitle', 300],
    ['artistQuote', 300],
    ['contactAddress', 300],
    ['achievement4Label', 300],
    ['artistBio', 5_000],
    ['bioParagraph3', 5_000],
    ['bioParagraph4', 5_000],
    ['artistDescription', 20_000],
    ['upiPayeeName', 99],
  ])('%s ends at %d characters', (key, max) => {
    expect(siteContentChange.safeParse({ [key]: 'x'.repeat(max) }).success).toBe(true)
    expect(siteContentChange.safeParse({ [key]: 'x'.repeat(max + 1) }).success).toBe(false)
  })

  it.each([
    ['her-name.blogspot.com', 'https://her-name.blogspot.com'],
    ['her-name.blogspot.com:8080/feed', 'https://her-name.blogspot.com:8080/feed'],
    // A name without a dot before a port is no scheme; the own machine has no certificate.
    ['localhost:4199', 'http://localhost:4199'],
    ['localhost:4199/feed.xml', 'http://localhost:4199/feed.xml'],
    ['127.0.0.1:4199', 'http://127.0.0.1:4199'],
    ['http://localhost:4199', 'http://localhost:4199'],
  ])('the blog address %s is taken for %s', (typed, taken) => {
    expect(siteContentChange.parse({ blogUrl: typed })).toEqual({ blogUrl: taken })
  })

  it.each(['tel:4199', 'mailto:a@b.example', 'javascript:1', 'localhost.'])(
    'the blog address %s is refused with what it should begin with',
    (typed) => {
      expect(refusal(siteContentChange, { blogUrl: typed }).fields?.['blogUrl']).toContain(
        'http:// or https://',
      )
    },
  )

  it.each([
    ['upiId', 'artist@okbank', true],
    ['upiId', 'a.b-c_9@ok.bank', true],
    ['upiId', 'artist', false],
    ['upiId', 'a rtist@okbank', false],
    ['upiId', 'artist@ok@bank', false],
    ['upiId', 'artist@okbank&am=1', false],
    ['upiKind', 'merchant', true],
    ['upiKind', 'company', false],
    ['blogUrl', 'https://blog.example/', true],
    ['blogUrl', 'blog', false],
    ['blogUrl', 'blog.example', true],
    ['contactEmail', 'a@b.example', true],
    ['contactEmail', 'a@b', false],
    ['profileImageUrl', ownImage, true],
    ['profileImageUrl', 'https://a.example/me.jpg', true],
    ['profileImageUrl', 'data:image/png;base64,AA', false],
  ])('%s may be %s: %s', (key, value, expected) => {
    expect(siteContentChange.safeParse({ [key]: value }).success).toBe(expected)
  })
})
