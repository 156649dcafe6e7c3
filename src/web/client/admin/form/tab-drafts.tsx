import { dropDraft } from '../lib/drafts.ts'
import { useDraftsOf } from '../lib/use-drafts-of.ts'
import { TabDraft } from './panel.tsx'

type TabDraftsProps<Thing> = {
  /** what the names of the drafts begin with */
  prefix: string
  things: readonly Thing[]
  /** no form stands open that they could come back into */
  isOffered: boolean
  titleOf: (thing: Thing) => string
  /** what one that was never saved is called; null where no other kind of thing stands beside it */
  newTitle?: string
  /** opens the form with its draft; null that of a new one */
  onRestore: (thing: Thing | null) => void
}

/** What was typed into the forms of these things on an earlier visit. */
export function TabDrafts<Thing extends { readonly id: string }>(props: TabDraftsProps<Thing>) {
  const { prefix, things, isOffered, titleOf, newTitle = null, onRestore } = props
  return useDraftsOf(prefix, things, isOffered).map(({ name, draft, thing }) => (
    <TabDraft
      key={name}
      draft={draft}
      of={thing === null ? newTitle : titleOf(thing)}
      onDiscard={() => dropDraft(draft.slot)}
      onRestore={() => onRestore(thing)}
    />
  ))
}
