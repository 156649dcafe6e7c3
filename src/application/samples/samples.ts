import type { Application } from '../application.ts'
import { addArtwork } from '../artworks/artworks.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { postId, sampleKey } from '../journal/post-ids.ts'
import { derivedId } from '../kernel/ids.ts'
import { takeImage } from '../images/take-image.ts'
import { sampleCategories, samplePortrait, samplePosts, sampleTexts, sampleArtworks } from './sample-set.ts'
import { updateContent } from '../site-content/site-content.ts'
import { countSamples, removeSamples } from './remove-samples.ts'
import { addEntry } from '../taxonomy/taxonomy.ts'
import { send, settled } from '../kernel/execute.ts'
import { underLease, underLeaseWithin } from '../kernel/turns.ts'
import { postAggregate, type PostCommand } from '#domain/journal/blog-post.ts'
import { keysOf } from '#domain/field-rules.ts'
import { Refusal } from '#domain/refusal.ts'
import { contentFields } from '#domain/site-content/rules.ts'
import { siteContentAggregate } from '#domain/site-content/site-content.ts'

/** The command of one step; the same step of the same run is carried out once. */
const step = (context: CommandContext, name: string): CommandContext => ({
  ...context,
  commandId: derivedId('samples', context.commandId, name),
})

const turnName = 'samples'

/** One at a time, also across processes: whoever looks first what is there sees what another was adding. */
const inTurn = <T>({ leases }: Application, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  underLease(leases, turnName, signal, work)

/** Takes the sample content away, as {@link removeSamples} does, once nobody adds it any more, as a first start may. */
export const removeAddedSamples = (
  app: Application,
  context: CommandContext,
  signal: AbortSignal,
): ReturnType<typeof removeSamples> => inTurn(app, signal, () => removeSamples(app, context, signal))

const removedWithinMs = 20_000

/** The same for who does not wait for ever. @throws {EngineAway} where they are still being added after 20 s */
export const removeSamplesSoon = (
  app: Application,
  context: CommandContext,
): ReturnType<typeof removeSamples> =>
  underLeaseWithin(app.leases, turnName, removedWithinMs, () => removeSamples(app, context))

/**
 * Adds the sample portfolio, as {@link addSamples} does, where none of it is.
 * @throws {Refusal} where some is; the signal's reason when aborted while another adds it
 */
export const addSamplesOnce = (
  app: Application,
  pathOf: (file: string) => string,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> =>
  inTurn(app, signal, async () => {
    const { artworks, posts } = await countSamples(app)
    if (artworks.go + posts.go > 0)
      throw new Refusal(
        'blocked',
        'The sample content is there: remove it first with "atelier samples remove"',
      )
    await addAll(app, pathOf, context)
  })

/**
 * Adds the sample portfolio as ordinary events marked as sample: categories, mediums, texts, artworks with
 * their images, and three journal posts. Started again after a crash with the same context it goes on
 * where it was.
 * @param pathOf local path of a sample image
 * @returns the hashes of the images, whose sizes are made afterwards by jobs
 */
export const addSamples = (
  app: Application,
  pathOf: (file: string) => string,
  context: CommandContext,
): Promise<readonly string[]> => inTurn(app, new AbortController().signal, () => addAll(app, pathOf, context))

/** What is added, in whose name, and where a sample image lies. */
interface Adding {
  readonly app: Application
  readonly pathOf: (file: string) => string
  readonly context: CommandContext
}

const addSets = async ({ app, context }: Adding): Promise<void> => {
  const sets = {
    Category: sampleCategories,
    Medium: [...new Set(sampleArtworks.map(({ medium }) => medium))],
  }
  for (const kind of keysOf(sets))
    for (const [index, name] of sets[kind].entries())
      await addUnlessThere(() => {
        const command = step(context, `${kind.toLowerCase()} ${name}`)
        return addEntry(app, kind, entry(name, index), command, { sample: true })
      })
}

/** What she has written already stays. @returns the hash of the portrait */
const addTexts = async ({ app, pathOf, context }: Adding): Promise<string> => {
  const portrait = await takeImage(app, pathOf(samplePortrait), step(context, samplePortrait))
  const { content } = await app.executor.load(siteContentAggregate)
  const texts = Object.entries({ ...sampleTexts, profileImageUrl: portrait.imageUrl })
  const unwritten = contentFields.filter((field) => content[field] === '')
  await updateContent(
    app,
    Object.fromEntries(texts.filter(([field]) => unwritten.some((each) => each === field))),
    null,
    step(context, 'texts'),
    { sample: true },
  )
  return portrait.hash
}

/** @returns the hash of its image */
const addSampleArtwork = async (
  { app, pathOf, context }: Adding,
  artwork: (typeof sampleArtworks)[number],
  index: number,
): Promise<string> => {
  const { file, isFeatured, saleStatus, ...fields } = artwork
  const image = await takeImage(app, pathOf(file), step(context, `picture ${file}`))
  await addArtwork(
    app,
    {
      ...fields,
      imageUrl: image.imageUrl,
      qrCodeUrl: null,
      isAvailable: true,
      isVisible: true,
      isFeatured: isFeatured ?? false,
      saleStatus: saleStatus ?? 'for_sale',
      sortOrder: 0,
    },
    { ...step(context, `work ${file}`), now: new Date(context.now.getTime() + index) },
    { sample: true },
  )
  return image.hash
}

/** @returns the hash of its image */
const addPost = async (
  { app, pathOf, context }: Adding,
  post: (typeof samplePosts)[number],
): Promise<string> => {
  const { imageUrl, hash } = await takeImage(app, pathOf(post.file), step(context, `picture ${post.file}`))
  const externalId = sampleKey(post.key)
  const sourceUrl = `sample:${post.file}`
  const sendToPost = (command: PostCommand, name: string) =>
    send(app, postAggregate(postId(externalId)), command, step(context, `${name} ${post.key}`))
  await sendToPost(
    {
      type: 'MirrorPost',
      blogUrl: '',
      externalId,
      post: {
        title: post.title,
        content: app.html.journal(post.content, { baseUrl: null }),
        excerpt: app.html.excerptOf(post.content),
        pictureUrl: sourceUrl,
        publishedAt: post.publishedAt,
        externalUrl: null,
      },
      sample: true,
    },
    'post',
  )
  await sendToPost({ type: 'RecordPictureCopied', sourceUrl, imageUrl, hash }, 'post picture')
  return hash
}

const addAll = async (
  app: Application,
  pathOf: (file: string) => string,
  context: CommandContext,
): Promise<readonly string[]> => {
  const adding = { app, pathOf, context }
  await addSets(adding)
  const hashes = new Set([await addTexts(adding)])
  // The newest work stands first, so they are added from the last to the first.
  for (const [index, artwork] of sampleArtworks.toReversed().entries())
    hashes.add(await addSampleArtwork(adding, artwork, index))
  for (const post of samplePosts) hashes.add(await addPost(adding, post))
  await settled(app)
  return [...hashes]
}

const entry = (name: string, index: number) => ({ name, description: '', isActive: true, sortOrder: index })

/** A category of that name which is there already serves as well. */
const addUnlessThere = async (add: () => Promise<unknown>): Promise<void> => {
  try {
    await add()
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'taken')) throw error
  }
}
