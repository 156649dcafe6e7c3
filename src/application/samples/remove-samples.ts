import type { Application } from '../application.ts'
import { type Done, untilSettled } from '../kernel/execute.ts'
import type { CommandContext } from '../kernel/envelope.ts'
import { inActTurn, manyStreams } from '../kernel/many-streams.ts'
import { artworkAggregate } from '#domain/artworks/artwork.ts'
import { artworkEvents } from '#domain/artworks/events.ts'
import { postAggregate } from '#domain/journal/blog-post.ts'
import { journalEvents } from '#domain/journal/events.ts'
import { keysOf } from '#domain/field-rules.ts'
import { Refusal } from '#domain/refusal.ts'
import { contentFields } from '#domain/site-content/rules.ts'
import { siteContentAggregate, untouchedTexts } from '#domain/site-content/site-content.ts'
import { sampleIds, type TaxonomyState } from '#domain/taxonomy/entry.ts'
import { taxonomyAggregate } from '#domain/taxonomy/taxonomy.ts'

/** How many of a kind go with the samples, and how many there are that stay. */
interface GoAndStay {
  readonly go: number
  readonly stay: number
}

/** What removing the sample content would do, in counts. */
export interface SampleCounts {
  readonly artworks: GoAndStay
  readonly posts: GoAndStay
  /** `untouched`: the names of those that go */
  readonly texts: GoAndStay & { readonly untouched: readonly string[] }
  readonly categories: GoAndStay
  readonly mediums: GoAndStay
}

type Stores = Pick<Application, 'executor' | 'eventStore' | 'readModels' | 'lookups' | 'leases'>

interface Plan {
  readonly counts: SampleCounts
  readonly artworks: readonly string[]
  readonly posts: readonly string[]
  readonly texts: boolean
  readonly categories: readonly string[]
  readonly mediums: readonly string[]
}

const counted = (all: number, go: readonly unknown[]): GoAndStay => ({
  go: go.length,
  stay: all - go.length,
})

const entriesThatGo = (
  state: TaxonomyState,
  used: ReadonlySet<string | null>,
): { readonly ids: readonly string[]; readonly counts: GoAndStay } => {
  const ids = sampleIds(state).filter((id) => !used.has(id))
  const there = [...state.values()].filter(({ deleted }) => !deleted)
  return { ids, counts: counted(there.length, ids) }
}

/** Events of which the lists that are looked at are made. */
const listed: readonly string[] = [...keysOf(artworkEvents), ...keysOf(journalEvents)]

/** Only what she never changed goes, and of categories and mediums only what no artwork that stays is filed under. */
const planOf = async (app: Stores): Promise<Plan> => {
  // What the lists do not show yet may be filed under what would go.
  await untilSettled(app, listed)
  const [artworks, posts, content, categoryState, mediumState] = await Promise.all([
    app.lookups.termsOfArtworks(),
    app.lookups.mirroredPosts(),
    app.executor.load(siteContentAggregate),
    app.executor.load(taxonomyAggregate('Category')),
    app.executor.load(taxonomyAggregate('Medium')),
  ])
  const going = artworks.filter(({ sample, deleted }) => sample && !deleted)
  const staying = artworks.filter((artwork) => !going.includes(artwork))
  const goingPosts = posts.filter(({ sample, touched }) => sample && !touched)
  const texts = untouchedTexts(content)
  const filled = contentFields.filter((field) => content.content[field] !== '')
  const ofCategories = entriesThatGo(categoryState, new Set(staying.map(({ categoryId }) => categoryId)))
  const ofMediums = entriesThatGo(mediumState, new Set(staying.map(({ mediumId }) => mediumId)))
  return {
    counts: {
      // Deleted artworks are not among those that she sees staying.
      artworks: { go: going.length, stay: staying.filter(({ deleted }) => !deleted).length },
      posts: counted(posts.length, goingPosts),
      texts: { ...counted(filled.length, texts), untouched: texts },
      categories: ofCategories.counts,
      mediums: ofMediums.counts,
    },
    artworks: going.map(({ id }) => id),
    posts: goingPosts.map(({ id }) => id),
    texts: texts.length > 0,
    categories: ofCategories.ids,
    mediums: ofMediums.ids,
  }
}

/** What removing the sample content would do now. @throws {EngineAway} while the lists are behind the log */
export const countSamples = async (app: Stores): Promise<SampleCounts> => (await planOf(app)).counts

/**
 * Takes the sample content away: the artworks, posts and texts that the owner has never
 * changed, and those categories and mediums that she has not changed and no artwork that stays is filed under. One
 * command over many streams: one entry of the activity, and sent again it goes on where it stopped.
 * @param signal ends it between two steps
 * @throws {EngineAway} while the lists are behind the log; the signal's reason once it is aborted
 */
export const removeSamples = (
  app: Stores,
  context: CommandContext,
  signal?: AbortSignal,
): Promise<Done & { readonly counts: SampleCounts }> =>
  inActTurn(app, [context.commandId], (mine) => removeAll(mine, context, signal))

const removeAll = async (
  app: Stores,
  context: CommandContext,
  signal?: AbortSignal,
): Promise<Done & { readonly counts: SampleCounts }> => {
  const plan = await planOf(app)
  const acts = manyStreams(app, context)
  const send: typeof acts.send = (order) => {
    signal?.throwIfAborted()
    return acts.send(order)
  }
  const artworksGone = await removeEach(plan.artworks, (id) =>
    send({ ...artworkAggregate(id), command: { type: 'RemoveSampleArtwork' } }),
  )
  const postsGone = await removeEach(plan.posts, (id) =>
    send({
      ...postAggregate(id),
      command: { type: 'RemovePost', reason: 'sample' },
    }),
  )
  if (plan.texts)
    await send({
      ...siteContentAggregate,
      command: { type: 'RemoveSampleContent' },
    })
  // Works that she changed or added meanwhile stay, with what they are filed under.
  const after = await planOf(app)
  const unused = { Category: after.categories, Medium: after.mediums }
  for (const kind of keysOf(unused))
    if (unused[kind].length > 0)
      await send({
        ...taxonomyAggregate(kind),
        command: { type: 'RemoveUnusedSamples', ids: unused[kind] },
      })
  const { artworks, posts } = after.counts
  const counts = {
    ...after.counts,
    artworks: { go: artworksGone, stay: artworks.stay },
    posts: { go: postsGone, stay: posts.stay },
    texts: plan.counts.texts,
  }
  return { ...(await acts.done('samples')), counts }
}

/** Removes one after the other. What she changed in this very moment is hers, and stays. @returns how many went */
const removeEach = async (
  ids: readonly string[],
  remove: (id: string) => Promise<unknown>,
): Promise<number> => {
  let gone = 0
  for (const id of ids) {
    try {
      await remove(id)
      gone += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return gone
}
