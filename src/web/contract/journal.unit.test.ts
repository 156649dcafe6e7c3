import { describe, expect, it } from 'vitest'
import { blogPost, blogPostChange } from './journal.ts'
import { refusal } from './testing/refusal.ts'
import { samplePost } from './testing/samples.ts'

describe('a change to a post', () => {
  it('holds only what was sent', () => {
    expect(Object.keys(blogPostChange.parse({ isVisible: false }))).toEqual(['isVisible'])
  })

  it('drops an override by null', () => {
    const dropped = { title: null, excerpt: null, imageUrl: null }
    expect(blogPostChange.parse(dropped)).toEqual(dropped)
  })

  it('may empty the excerpt, but not the title; an empty picture is none', () => {
    expect(blogPostChange.parse({ excerpt: ' ', imageUrl: '' })).toEqual({ excerpt: '', imageUrl: null })
    expect(refusal(blogPostChange, { title: ' ' }).fields).toEqual({ title: 'Title is required' })
  })

  it('may be the record as GET answered it', () => {
    const { title, excerpt, imageUrl, isVisible } = samplePost
    expect(blogPostChange.parse(blogPost.parse(samplePost))).toEqual({ title, excerpt, imageUrl, isVisible })
  })

  it('refuses unknown keys', () => {
    expect(refusal(blogPostChange, { author: 'x' }).fields).toHaveProperty('author')
  })
})
