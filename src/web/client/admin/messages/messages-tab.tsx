import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { deleteMessage, listContactMessages, markMessageRead } from '#web/contract/addresses.ts'
import type { ContactMessage } from '#web/contract/messages.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ADMIN_WORDS, failureToast, successToast } from '../admin-constants.ts'
import { EmptyState, ListState } from '../form/list-state.tsx'
import { SearchField } from '../form/text-fields.tsx'
import { patchItem } from '../lib/optimistic.ts'
import { keyOf } from '../lib/stale.ts'
import { useStatus } from '../lib/queries.ts'
import { useHasSearch } from '../lib/search.ts'
import { useSave } from '../lib/save.ts'
import { useNow } from '../lib/in-words.ts'
import { VirtualList } from '../lib/virtual-list.tsx'
import { PanelHead } from '../form/panel.tsx'
import { MessageCard } from './message-card.tsx'
import styles from './messages-tab.module.css'
import { messagesWith, useMessagePages } from './use-message-pages.ts'

const MESSAGES = keyOf(listContactMessages, {})
const CARD_ESTIMATE_PX = 196
/** A 401 here leads nowhere by itself. */
const STAYS = { toast: failureToast('Authentication expired. Please log in again.') }

/** The Messages tab: what visitors wrote. */
export function MessagesTab() {
  const { newest, messages, more } = useMessagePages()
  const { data: status } = useStatus()
  const now = useNow()
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const [deleting, setDeleting] = useState<ContactMessage | null>(null)
  const panel = useRef<HTMLDivElement>(null)

  const read = useSave(markMessageRead, {
    optimistic: ({ params: { id } }) => patchItem<ContactMessage>(MESSAGES, id, { isRead: true }),
    success: successToast('Message marked as read.'),
    failure: failureToast('Failed to update message. Please try again.'),
    unauthorized: STAYS,
  })
  const remove = useSave(deleteMessage, {
    acceptsLater: true,
    success: successToast('Message deleted successfully.'),
    failure: failureToast('Failed to delete message. Please try again.'),
    unauthorized: STAYS,
  })

  const { save: markRead } = read
  const draw = useCallback(
    (message: ContactMessage) => (
      <MessageCard
        message={message}
        now={now}
        onRead={() => {
          // The button goes with the press; the focus must not go with it.
          panel.current?.focus({ preventScroll: true })
          void markRead({ params: { id: message.id } })
        }}
        onDelete={() => setDeleting(message)}
      />
    ),
    [now, markRead],
  )

  const found = useMemo(() => messagesWith(messages ?? [], search), [messages, search])
  const hasSearch = useHasSearch(messages?.length ?? 0)
  const unread = messages?.filter(({ isRead, erasing }) => !isRead && !erasing).length ?? 0

  return (
    <div ref={panel} tabIndex={-1}>
      <PanelHead title="Contact Messages" remark={unread > 0 ? `${unread} unread` : undefined}>
        {hasSearch && <SearchField label="Search messages" value={text} onChange={setText} />}
      </PanelHead>
      {status?.mail === 'off' && (
        <p className={styles.hint}>
          New messages arrive here only: they are mailed once e-mail is set up on the server and your address
          is saved under “Content”.
        </p>
      )}
      <ListState query={newest}>
        {() => {
          if (messages?.length === 0) return <EmptyState text="No messages received yet." />
          if (found.length === 0) return <p role="status">No message fits.</p>
          return (
            <VirtualList items={found} estimate={CARD_ESTIMATE_PX} label="Contact Messages">
              {draw}
            </VirtualList>
          )
        }}
      </ListState>
      {more && (
        <div className={styles.more}>
          <Button busy={more.busy} onClick={more.show}>
            Show older messages
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={deleting !== null}
        title="Delete Message"
        text={deleting ? `Delete the message of ${deleting.name}?` : ''}
        confirm={ADMIN_WORDS.delete}
        pending={remove.pending}
        pendingText="Deleting..."
        onCancel={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting) void remove.save({ params: { id: deleting.id } }).then(() => setDeleting(null))
        }}
        returnFocus={() => panel.current}
      >
        <p>
          It is erased for good, with everything that this person wrote here. A copy in your mailbox is not
          erased.
        </p>
      </ConfirmDialog>
    </div>
  )
}
