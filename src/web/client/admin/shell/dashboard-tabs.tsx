import { Tabs } from 'radix-ui'
import { inGroups } from '#web/contract/limits.ts'
import { classNames } from '../../ui/class-names.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { AdminIcon } from '../admin-icon.tsx'
import { TABS, type TabId, ADMIN_WORDS } from '../admin-constants.ts'
import { useBar } from '../lib/screen.ts'
import { fetchPanel } from './panels.ts'
import styles from './dashboard-tabs.module.css'
import { useEffect } from 'react'

export type TabCounts = Partial<Record<Exclude<TabId, 'messages'>, number>> & {
  messages?: { unread: number; all: number }
}

/** The five tabs with their counts: a rail on wide screens, along the lower edge on a phone. */
export function DashboardTabs({ counts }: { counts: TabCounts }) {
  const bar = useBar('tabs')
  return (
    <nav className={styles.place} aria-label="Dashboard">
      <Tabs.List ref={bar} className={styles.tabs} aria-label="Dashboard">
        {TABS.map(({ id, label, icon }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className={styles.tab}
            onPointerEnter={() => fetchPanel(id)}
            onFocus={() => fetchPanel(id)}
            // Radix focuses it by program, which browsers would take for the keyboard and show a ring.
            onMouseDown={({ currentTarget }) => currentTarget.focus({ focusVisible: false })}
          >
            <AdminIcon name={icon} />
            <span>{label}</span>
            {id === 'messages' ? <MessageCount counts={counts} /> : <Count id={id} counts={counts} />}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
    </nav>
  )
}

function Count({ id, counts }: { id: Exclude<TabId, 'messages'>; counts: TabCounts }) {
  const count = counts[id]
  if (count === undefined) return null
  return (
    <span className={styles.count}>
      {inGroups(count)}
      {id === 'content' && <Quiet> sections</Quiet>}
    </span>
  )
}

function MessageCount({ counts: { messages } }: { counts: TabCounts }) {
  if (!messages) return null
  if (messages.unread === 0) return <span className={styles.count}>{inGroups(messages.all)}</span>
  return (
    <span className={classNames(styles.count, styles.unread)}>
      {inGroups(messages.unread)}
      <Quiet> unread of {inGroups(messages.all)}</Quiet>
    </span>
  )
}

/** The browser tab's title while the dashboard is open: unread messages first, "(2) Admin Dashboard". */
export function useUnreadTitle(unread: number): void {
  useEffect(() => {
    const before = document.title
    return () => {
      document.title = before
    }
  }, [])
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${ADMIN_WORDS.title}` : ADMIN_WORDS.title
  }, [unread])
}
