import { useCallback, useDeferredValue, useState } from 'react'
import { changeBlogPost } from '#web/contract/addresses.ts'
import type { BlogPost } from '#web/contract/journal.ts'
import { inGroups } from '#web/contract/limits.ts'
import { EmptyState, ListState } from '../form/list-state.tsx'
import { SearchField } from '../form/text-fields.tsx'
import { patchItem } from '../lib/optimistic.ts'
import { POSTS, usePosts } from '../lib/queries.ts'
import { searchBy, useHasSearch } from '../lib/search.ts'
import { useSave } from '../lib/save.ts'
import { VirtualList } from '../lib/virtual-list.tsx'
import { PanelHead } from '../form/panel.tsx'
import { TabDrafts } from '../form/tab-drafts.tsx'
import rows from '../form/rows.module.css'
import { POST_DRAFTS, POST_TOASTS, PostDialog } from './post-dialog.tsx'
import { PostRow } from './post-row.tsx'
import { SyncPanel } from './sync-panel.tsx'

const TITLE = 'Blog Management'
const NONE: readonly BlogPost[] = []
const ROW_ESTIMATE_PX = 104
const search = searchBy(({ title, excerpt }: BlogPost) => `${title}\n${excerpt}`)

/** One flag with its new value overwrites nothing else, so that quick taps need no version of their own. */
type Toggle = { params: { id: string }; body: { isVisible: boolean } }

/** The Blog tab: how the sync stands, and the posts with their markers. */
export function BlogTab() {
  const query = usePosts()
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const [editing, setEditing] = useState<{ opened: BlogPost; restoring: boolean } | null>(null)
  const { save } = useSave(changeBlogPost, {
    inTurn: 'of thing',
    optimistic: ({ params: { id }, body }: Toggle) => patchItem<BlogPost>(POSTS, id, body),
    ...POST_TOASTS,
  })
  const draw = useCallback(
    (post: BlogPost) => (
      <PostRow
        post={post}
        onEdit={() => setEditing({ opened: post, restoring: false })}
        onShow={(isVisible) => void save({ params: { id: post.id }, body: { isVisible } })}
      />
    ),
    [save],
  )
  const count = query.data?.length ?? 0
  const hasSearch = useHasSearch(count)

  return (
    <>
      <PanelHead title={TITLE} remark={count > 0 ? `(${inGroups(count)})` : undefined}>
        {hasSearch && <SearchField label="Search posts" value={text} onChange={setText} />}
      </PanelHead>
      <SyncPanel />
      <TabDrafts
        prefix={POST_DRAFTS}
        things={query.data ?? NONE}
        isOffered={editing === null}
        titleOf={({ title }) => title}
        onRestore={(opened) => opened && setEditing({ opened, restoring: true })}
      />
      <ListState query={query}>
        {(posts) =>
          posts.length === 0 ? (
            <EmptyState text="No blog posts found. Sync from Blogger or add custom posts." />
          ) : (
            <VirtualList
              className={rows.rows}
              items={search(posts, wanted)}
              estimate={ROW_ESTIMATE_PX}
              label={TITLE}
            >
              {draw}
            </VirtualList>
          )
        }
      </ListState>
      {editing && <PostDialog {...editing} posts={query.data} onClose={() => setEditing(null)} />}
    </>
  )
}
