import type { Application } from '#application/app.ts'
import { addArtwork } from '#application/artworks/artworks.ts'
import type { CommandContext } from '#application/envelope.ts'
import { derivedId, postId } from '#application/ids.ts'
import { takePicture } from '#application/images/take-picture.ts'
import {
  sampleCategories,
  samplePortrait,
  samplePosts,
  sampleTexts,
  sampleWorks,
} from '#application/samples/sample-set.ts'
import { updateContent } from '#application/site-content/site-content.ts'
import { addEntry } from '#application/taxonomy/taxonomy.ts'
import type { Position } from '#application/ports/event-store.ts'
import { artwork, artworkStream } from '#domain/artworks/artwork.ts'
import { blogPost, postStream } from '#domain/journal/blog-post.ts'
import { Refusal } from '#domain/refusal.ts'
import { siteContent, siteContentStream } from '#domain/site-content/site-content.ts'
import { categories, mediums, sampleIds, taxonomyStream } from '#domain/taxonomy/taxonomy.ts'

/** The command of one step; the same step of the same run is carried out once. */
const step = (context: CommandContext, name: string): CommandContext => ({
  ...context,
  commandId: derivedId('samples', context.commandId, name),
})

/**
 * Adds the sample portfolio as ordinary events marked as sample: categories, mediums, texts, works with
 * their pictures, and three journal posts. Started again after a crash with the same context it goes on
 * where it was.
 * @param pathOf local path of a sample picture
 */
export const addSamples = async (
  app: Application,
  pathOf: (file: string) => string,
  context: CommandContext,
): Promise<void> => {
  for (const [index, name] of sampleCategories.entries()) {
    await addUnlessThere(() =>
      addEntry(app, 'Category', entry(name, index), step(context, `category ${name}`), { sample: true }),
    )
  }
  const mediumNames = [...new Set(sampleWorks.map((work) => work.medium))]
  for (const [index, name] of mediumNames.entries()) {
    await addUnlessThere(() =>
      addEntry(app, 'Medium', entry(name, index), step(context, `medium ${name}`), { sample: true }),
    )
  }
  const portrait = await takePicture(app, pathOf(samplePortrait), step(context, samplePortrait))
  await updateContent(
    app,
    { ...sampleTexts, profileImageUrl: portrait.imageUrl },
    null,
    step(context, 'texts'),
    { sample: true },
  )
  // The newest work stands first, so they are added from the last to the first.
  for (const [index, work] of sampleWorks.toReversed().entries()) {
    const { file, isFeatured, saleStatus, ...fields } = work
    const picture = await takePicture(app, pathOf(file), step(context, `picture ${file}`))
    await addArtwork(
      app,
      {
        ...fields,
        imageUrl: picture.imageUrl,
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
  }
  for (const post of samplePosts) {
    const picture = await takePicture(app, pathOf(post.file), step(context, `picture ${post.file}`))
    const id = postId(`sample:${post.key}`)
    const sourceUrl = `sample:${post.file}`
    const send = (command: Parameters<typeof blogPost.decide>[0], name: string) =>
      app.executor.execute({
        stream: postStream(id),
        decider: blogPost,
        command,
        context: step(context, `${name} ${post.key}`),
        expectedVersion: null,
      })
    await send(
      {
        type: 'MirrorPost',
        blogUrl: '',
        externalId: `sample:${post.key}`,
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
    const { imageUrl, hash } = picture
    await send({ type: 'RecordPictureCopied', sourceUrl, imageUrl, hash }, 'post picture')
  }
  await settled(app)
}

/**
 * Takes the sample content away (decisions 62, 107): its works, its posts, those of its categories and
 * mediums that no other work uses, and the texts that the owner has not changed.
 */
export const removeSamples = async (app: Application, context: CommandContext): Promise<void> => {
  for (const id of await app.lookups.sampleArtworkIds()) {
    await app.executor.execute({
      stream: artworkStream(id),
      decider: artwork,
      command: { type: 'RemoveSampleArtwork' },
      context: step(context, id),
      expectedVersion: null,
    })
  }
  for (const post of (await app.lookups.mirroredPosts()).filter((known) => known.sample)) {
    await app.executor.execute({
      stream: postStream(post.id),
      decider: blogPost,
      command: { type: 'RemovePost', reason: 'sample' },
      context: step(context, post.id),
      expectedVersion: null,
    })
  }
  await app.executor.execute({
    stream: siteContentStream,
    decider: siteContent,
    command: { type: 'RemoveSampleContent' },
    context: step(context, 'texts'),
    expectedVersion: null,
  })
  // Whether a category is still used can be asked once the works are gone from the read models.
  await settled(app)
  await removeUnused(app, 'Category', context)
  await removeUnused(app, 'Medium', context)
  await settled(app)
}

const removeUnused = async (
  app: Application,
  kind: 'Category' | 'Medium',
  context: CommandContext,
): Promise<void> => {
  const stream = taxonomyStream(kind)
  const order = { stream, context: step(context, stream), expectedVersion: null }
  const state =
    kind === 'Category'
      ? await app.executor.load(stream, categories)
      : await app.executor.load(stream, mediums)
  const samples = sampleIds(state)
  const used = await app.lookups.worksUsing(stream, samples)
  const command = {
    type: 'RemoveUnusedSamples',
    ids: samples.filter((id) => (used.get(id) ?? 0) === 0),
  } as const
  if (kind === 'Category') await app.executor.execute({ ...order, decider: categories, command })
  else await app.executor.execute({ ...order, decider: mediums, command })
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

/** Waits until the read models show all that is in the log now. */
const settled = async (app: Application): Promise<void> => {
  const head: Position | null = await app.eventStore.head()
  if (head !== null) await app.readModels.shows(head)
}
