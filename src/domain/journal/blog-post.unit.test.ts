import { describe, expect, test } from 'vitest'
import {
  blogPostDecider,
  effectivePost,
  evolvePost,
  noPost,
  type PostCommand,
  postOf,
  postStream,
} from './blog-post.ts'
import type { JournalEvent, SourcePost } from './events.ts'
import { causes, given, refuses } from '../testing/decider-spec.ts'

const source: SourcePost = {
  title: 'A week of indigo',
  content: '<p>Blue.</p>',
  excerpt: 'Blue.',
  pictureUrl: 'https://blog.in/a.jpg',
  publishedAt: '2026-01-02T03:04:05.000Z',
  externalUrl: 'https://blog.in/a',
}
const blogUrl = 'https://blog.in/'
const mirror = (post: Partial<SourcePost> = {}): PostCommand => ({
  type: 'MirrorPost',
  blogUrl,
  externalId: 'tag:blog,1',
  post: { ...source, ...post },
})
const imported = (sample = false): JournalEvent => ({
  type: 'BlogPostImported',
  data: { externalId: 'tag:blog,1', blogUrl, post: source, sample },
})
const overridden = (field: 'title' | 'excerpt' | 'imageUrl', to: string | null, from: string | null = null) =>
  ({ type: 'BlogPostOverridden', data: { field, from, to } }) as const
const revise = (changes: Extract<PostCommand, { type: 'RevisePost' }>['changes']): PostCommand => ({
  type: 'RevisePost',
  changes,
})
const gone: JournalEvent = { type: 'BlogPostRemoved', data: { reason: 'gone' } }
const hidden: JournalEvent = { type: 'BlogPostHidden', data: {} }
const returned: JournalEvent = { type: 'BlogPostReturned', data: { blogUrl, post: source } }
const copied: JournalEvent = {
  type: 'BlogPostPictureCopied',
  data: {
    sourceUrl: 'https://blog.in/a.jpg',
    imageUrl: `/images/${'a'.repeat(64)}/original-view.jpg`,
    hash: 'aa',
  },
}

test('each post has a stream of its own', () => {
  expect(postStream('7')).toBe('blogPost-7')
})

describe('mirroring', () => {
  test('a new post is imported', () => {
    expect(given(blogPostDecider).when(mirror())).toEqual(causes(imported()))
  })
  test('a sample post is marked as one', () => {
    expect(given(blogPostDecider).when({ ...mirror(), sample: true } as PostCommand)).toEqual(
      causes(imported(true)),
    )
  })
  test('a post that is as it was changes nothing', () => {
    expect(given(blogPostDecider, imported()).when(mirror())).toEqual(causes())
  })
  const edits: readonly Partial<SourcePost>[] = [
    { title: 'Two weeks' },
    { content: '<p>Bluer.</p>' },
    { excerpt: 'Bluer.' },
    { pictureUrl: null },
    { publishedAt: null },
    { externalUrl: null },
  ]
  test.each(edits)('an edit in the blog is followed: %j', (edit) => {
    expect(given(blogPostDecider, imported()).when(mirror(edit))).toEqual(
      causes({ type: 'BlogPostRevised', data: { from: source, to: { ...source, ...edit } } }),
    )
  })
  const keyChanged: JournalEvent = {
    type: 'BlogPostKeyChanged',
    data: { from: 'tag:blog,1', to: 'tag:blog,2' },
  }
  const byAnotherKey = (post: Partial<SourcePost> = {}): PostCommand =>
    ({ ...mirror(post), externalId: 'tag:blog,2' }) as PostCommand
  test('a post that the blog names by another key is known by that one from then on', () => {
    expect(given(blogPostDecider, imported()).when(byAnotherKey())).toEqual(causes(keyChanged))
    expect(given(blogPostDecider, imported(), keyChanged).when(byAnotherKey())).toEqual(causes())
    expect(
      given(blogPostDecider, imported())
        .after(byAnotherKey({ title: 'Two weeks' }))
        .slice(1),
    ).toEqual([
      { type: 'BlogPostRevised', data: { from: source, to: { ...source, title: 'Two weeks' } } },
      keyChanged,
    ])
    expect(given(blogPostDecider, imported(), gone).after(byAnotherKey()).slice(2)).toEqual([
      returned,
      keyChanged,
    ])
  })
  test('another key is nothing that she sees, and clashes with no change of hers', () => {
    const { version } = given(blogPostDecider, imported()).state
    expect(given(blogPostDecider, imported(), keyChanged).state).toMatchObject({ version })
  })
  test('a removed post that stands in the blog again returns with what the owner said about it', () => {
    const history = [imported(), hidden, overridden('title', 'Indigo'), gone]
    expect(given(blogPostDecider, ...history).when(mirror())).toEqual(causes(returned))
    const back = postOf(given(blogPostDecider, ...history, returned).state)
    expect(back).toMatchObject({ isVisible: false, overrides: { title: 'Indigo' } })
  })
})

describe("the owner's changes", () => {
  test('hide and show, once each', () => {
    expect(given(blogPostDecider, imported()).when(revise({ isVisible: false }))).toEqual(causes(hidden))
    expect(given(blogPostDecider, imported(), hidden).when(revise({ isVisible: false }))).toEqual(causes())
    expect(given(blogPostDecider, imported(), hidden).when(revise({ isVisible: true }))).toEqual(
      causes({ type: 'BlogPostShown', data: {} }),
    )
  })
  test('her own words stand before those of the blog, and survive its edits', () => {
    const changes = {
      title: ' Indigo ',
      excerpt: 'Mine',
      imageUrl: `/images/${'b'.repeat(64)}/original-view.jpg`,
    }
    const events = given(blogPostDecider, imported()).after(revise(changes))
    expect(events.slice(1)).toEqual([
      overridden('title', 'Indigo'),
      overridden('excerpt', 'Mine'),
      overridden('imageUrl', `/images/${'b'.repeat(64)}/original-view.jpg`),
    ])
    const edited = given(blogPostDecider, ...events).after(mirror({ title: 'New', excerpt: 'New' }))
    expect(effectivePost(given(blogPostDecider, ...edited).state)).toEqual({ ...changes, title: 'Indigo' })
  })
  test('null drops them; without any it drops nothing', () => {
    const own = overridden('title', 'Indigo')
    expect(given(blogPostDecider, imported(), own).when(revise({ title: null }))).toEqual(
      causes(overridden('title', null, 'Indigo')),
    )
    expect(
      given(blogPostDecider, imported()).when(revise({ title: null, excerpt: null, imageUrl: null })),
    ).toEqual(causes())
  })
  test('null drops a picture of hers that is not kept here yet, though none is shown', () => {
    const own = overridden('imageUrl', 'https://x.in/b.jpg')
    expect(given(blogPostDecider, imported(), own).when(revise({ imageUrl: null }))).toEqual(
      causes(overridden('imageUrl', null, 'https://x.in/b.jpg')),
    )
  })
  test('what is sent back as it is shown makes no override and drops none', () => {
    const shown = {
      title: source.title,
      excerpt: source.excerpt,
      imageUrl: `/images/${'a'.repeat(64)}/original-view.jpg`,
    }
    expect(given(blogPostDecider, imported(), copied).when(revise(shown))).toEqual(causes())
    expect(
      given(blogPostDecider, imported(), overridden('title', 'Indigo')).when(revise({ title: 'Indigo' })),
    ).toEqual(causes())
  })
  test("the blog's texts may be longer than hers, and are taken back as they are shown", () => {
    const long = { title: 'x'.repeat(300), excerpt: 'y'.repeat(6000) }
    const history = given(blogPostDecider).after(mirror(long))
    expect(given(blogPostDecider, ...history).when(revise(long))).toEqual(causes())
  })
  const wrong = [
    ['title', { title: '  ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['excerpt', { excerpt: 'x'.repeat(5001) }],
    ['imageUrl', { imageUrl: '' }],
    ['imageUrl', { imageUrl: 'x'.repeat(2049) }],
  ] as const
  test.each(wrong)('%s: %j is refused', (field, changes) => {
    expect(given(blogPostDecider, imported()).when(revise(changes))).toMatchObject(refuses('invalid', field))
  })
})

describe('copies of images', () => {
  test('of a text that names thousands of them are looked for in it once, not once for each', () => {
    const urls = Array.from({ length: 300 }, (_, n) => `https://blog.in/${n}.jpg?a&b`)
    const content = urls.map((url) => `<img src="${url.replaceAll('&', '&amp;')}" alt="" />`).join('')
    let looks = 0
    const post = {
      ...source,
      get content() {
        looks += 1
        return content
      },
    }
    const begun = evolvePost(noPost, {
      type: 'BlogPostImported',
      data: { externalId: 'tag:blog,1', blogUrl, post, sample: false },
    })
    const state = urls.reduce(
      (before, sourceUrl) =>
        evolvePost(before, {
          type: 'BlogPostPictureCopied',
          data: { sourceUrl, imageUrl: '/images/a', hash: 'aa' },
        }),
      begun,
    )
    expect(state.images.map(({ sourceUrl }) => sourceUrl)).toEqual(urls)
    expect(looks).toBe(1)
  })

  const copyAt = (sourceUrl: string): JournalEvent => ({ ...copied, data: { ...copied.data, sourceUrl } })
  const namedBy = (run: number): readonly string[] =>
    Array.from({ length: 150 }, (_, n) => `https://blog.in/${n}.jpg?for=${run}&a=b`)
  const naming = (urls: readonly string[]): Partial<SourcePost> => ({
    content: urls
      .map((url) => `<img src="${url.replaceAll('&', '&amp;')}" alt="" loading="lazy" />`)
      .join(''),
  })
  test('that the blog names anew with every sync do not gather, and those that it shows stay', () => {
    let history: readonly JournalEvent[] = [imported(), copied]
    for (let run = 0; run < 5; run += 1) {
      history = given(blogPostDecider, ...history).after(mirror(naming(namedBy(run))))
      history = [...history, ...namedBy(run).map(copyAt)]
    }
    const kept = given(blogPostDecider, ...history).state.images.map(({ sourceUrl }) => sourceUrl)
    expect(kept).toEqual(expect.arrayContaining([source.pictureUrl, ...namedBy(4)]))
    expect(kept.length).toBeLessThan(250)
  })
})

describe('what is shown', () => {
  test('a post without a title is Untitled', () => {
    const history = given(blogPostDecider).after(mirror({ title: '' }))
    expect(effectivePost(given(blogPostDecider, ...history).state).title).toBe('Untitled')
  })
  test('a picture only once it is kept here', () => {
    expect(effectivePost(given(blogPostDecider, imported()).state).imageUrl).toBeNull()
    expect(effectivePost(given(blogPostDecider, imported(), copied).state).imageUrl).toBe(
      `/images/${'a'.repeat(64)}/original-view.jpg`,
    )
  })
  test("the blog's picture until the owner's is kept here", () => {
    const own = overridden('imageUrl', 'https://x.in/b.jpg')
    const ownCopied: JournalEvent = {
      type: 'BlogPostPictureCopied',
      data: {
        sourceUrl: 'https://x.in/b.jpg',
        imageUrl: `/images/${'b'.repeat(64)}/original-view.jpg`,
        hash: 'bb',
      },
    }
    expect(effectivePost(given(blogPostDecider, imported(), copied, own).state).imageUrl).toBe(
      `/images/${'a'.repeat(64)}/original-view.jpg`,
    )
    expect(effectivePost(given(blogPostDecider, imported(), copied, own, ownCopied).state).imageUrl).toBe(
      `/images/${'b'.repeat(64)}/original-view.jpg`,
    )
  })
})

describe('copied pictures', () => {
  const record: PostCommand = { type: 'RecordPictureCopied', ...copied.data }
  test('are recorded once', () => {
    expect(given(blogPostDecider, imported()).when(record)).toEqual(causes(copied))
    expect(given(blogPostDecider, imported(), copied).when(record)).toEqual(causes())
  })
  test('leave the version alone', () => {
    expect(given(blogPostDecider, imported(), copied).versionFor(revise({}))).toBe(1)
  })
})

describe('removing', () => {
  const remove = (reason: 'gone' | 'other-blog' | 'sample'): PostCommand => ({ type: 'RemovePost', reason })
  test('a post goes with its reason, once', () => {
    expect(given(blogPostDecider, imported()).when(remove('gone'))).toEqual(causes(gone))
    expect(given(blogPostDecider, imported()).when(remove('other-blog'))).toEqual(
      causes({ type: 'BlogPostRemoved', data: { reason: 'other-blog' } }),
    )
    expect(given(blogPostDecider, imported(), gone).when(remove('gone'))).toEqual(causes())
    expect(given(blogPostDecider, imported(), gone).when(remove('other-blog'))).toEqual(causes())
  })
  test('a post that went for another blog may be gone from its own as well', () => {
    const away = { type: 'BlogPostRemoved', data: { reason: 'other-blog' } } as const
    expect(given(blogPostDecider, imported(), away).when(remove('gone'))).toEqual(causes(gone))
    expect(given(blogPostDecider, imported(), away).when(remove('other-blog'))).toEqual(causes())
    expect(given(blogPostDecider, imported(), away, gone).when(remove('gone'))).toEqual(causes())
  })
  test('a sample goes only as a sample, and nothing else does', () => {
    expect(given(blogPostDecider, imported(true)).when(remove('sample'))).toHaveProperty('events.length', 1)
    expect(given(blogPostDecider, imported(true)).when(remove('gone'))).toMatchObject(refuses('blocked'))
    expect(given(blogPostDecider, imported()).when(remove('sample'))).toMatchObject(refuses('blocked'))
  })
  test('a post that never was is missing', () => {
    expect(given(blogPostDecider).when(remove('gone'))).toMatchObject(refuses('missing'))
  })
  test.each([revise({ isVisible: false }), { type: 'RecordPictureCopied', ...copied.data } as const])(
    'a removed post, and one that never was, refuse $type as missing',
    (command) => {
      expect(given(blogPostDecider, imported(), gone).when(command)).toMatchObject(refuses('missing'))
      expect(given(blogPostDecider).when(command)).toMatchObject(refuses('missing'))
      expect(given(blogPostDecider, imported(), gone).versionFor(command)).toBeNull()
      expect(postOf(given(blogPostDecider, imported(), gone).state)).toBeNull()
    },
  )
})

test('the version counts the changes of the owner and of the blog', () => {
  const revised: JournalEvent = { type: 'BlogPostRevised', data: { from: source, to: source } }
  expect(given(blogPostDecider, imported(), revised, hidden).versionFor(revise({}))).toBe(3)
})
