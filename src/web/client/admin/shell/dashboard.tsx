import { useQueryClient } from '@tanstack/react-query'
import { CatchBoundary, useBlocker } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isGone } from '../../lib/import-fetched.ts'
import { reopenChanges } from '../../lib/changes.ts'
import * as WORDS from '../../lib/words.ts'
import { logOut } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { closeTopDialog } from '../../ui/open-dialogs.ts'
import LoginDialog from '../accounts/login-dialog.tsx'
import { AccountDialog } from '../accounts/account-dialog.tsx'
import { ActivityDialog } from '../activity/activity-dialog.tsx'
import { ADMIN_WORDS, TABS, type TabId } from '../admin-constants.ts'
import { AdminIcon, type AdminIconName } from '../admin-icon.tsx'
import { CONTENT_SECTIONS } from '../site-content/content-words.ts'
import { releaseGuards, useLeave } from '../lib/guard.tsx'
import { useArtworks, useCategories, useMediums, useMessages, usePosts } from '../lib/queries.ts'
import { rememberTab, rememberedTab } from '../lib/remembered-tab.ts'
import { useIsThere } from '../lib/use-latest.ts'
import { KeptPlace } from '../lib/kept-place.tsx'
import { useOnePress } from '../lib/one-press.ts'
import { useBar, useMedia } from '../lib/screen.ts'
import { isOwners } from '../lib/stale.ts'
import { untilSent, useChanges } from '../lib/under-way.ts'
import { useEndedSession } from '../lib/session-end.ts'
import { Banners, OutdatedBanner } from './banners.tsx'
import { type DashboardParts, DashboardPartsProvider, type Wish } from '../lib/dashboard-parts.ts'
import { DashboardTabs, type TabCounts, useUnreadTitle } from './dashboard-tabs.tsx'
import styles from './dashboard.module.css'
import { askAgain, loadAgain } from '../lib/fetched-part.tsx'
import { PANELS, useFetchedAhead } from './panels.ts'
import { StatusLine } from './status-line.tsx'

type DashboardProps = {
  onClose: () => void
  /** the heading as the dialog around it wants it */
  heading: (words: string) => ReactNode
  /** what holds the tabs' panels: above the homepage there is a `main` already */
  body: 'main' | 'div'
}

/** Which tab is open, and what one part of the dashboard asks of another; what is unsaved is asked about before it is left. */
function useTabs() {
  const { leave } = useLeave()
  const [tab, setTab] = useState<TabId>(rememberedTab)
  const [wish, setWish] = useState<Wish | null>(null)
  const change = useCallback(
    (next: string) => {
      const chosen = TABS.find(({ id }) => id === next)
      if (!chosen) return
      leave(() => {
        rememberTab(chosen.id)
        // A thousand works take their time: what is pressed meanwhile is answered first.
        startTransition(() => setTab(chosen.id))
      })
    },
    [leave],
  )
  const ask = useCallback(
    (asked: Wish) => {
      const place = asked.kind === 'field' ? 'content' : 'gallery'
      const go = (): void => {
        rememberTab(place)
        setTab(place)
        setWish(asked)
      }
      // On the tab itself nothing is left behind.
      if (place === tab) go()
      else leave(go)
    },
    [leave, tab],
  )
  return { tab, change, wish, ask, settle: useCallback(() => setWish(null), []) }
}

/** Log-out, and what happens when the session ends by itself. */
function useSessionEnds(onClose: () => void) {
  const queries = useQueryClient()
  const { leave } = useLeave()
  const [ended, revive] = useEndedSession()
  const isThere = useIsThere()
  const [isLeaving, setIsLeaving] = useState(false)
  /** The dashboard stays for as long as the session does, or she would take it for ended. */
  const logOutHere = async (): Promise<void> => {
    setIsLeaving(true)
    await untilSent()
    if (isThere.current) onClose()
    await logOut(queries)
    queries.removeQueries({ predicate: isOwners })
    reopenChanges()
  }
  return {
    ended,
    isLeaving,
    // Once: a second one, which waits for as long again, would end the session that she has begun by then.
    logOutHere: (): void => {
      if (!isLeaving) leave(() => void logOutHere())
    },
    backAgain: revive,
    /** She does not log in again: the homepage is loaded as a visitor's, and what was typed waits as a draft. */
    leaveEnded: (): void => {
      releaseGuards()
      window.location.assign('/')
    },
  }
}

/** The workshop: header, five tabs, and what stands beside them. */
export function Dashboard({ onClose, heading, body: Body }: DashboardProps) {
  const { leave, mayLeave } = useLeave()
  const { tab, change, wish, ask, settle } = useTabs()
  const { ended, isLeaving, logOutHere, backAgain, leaveEnded } = useSessionEnds(onClose)
  const [activityOf, setActivityOf] = useState<{ artwork: { id: string; title: string } | null } | null>(null)
  const [account, setAccount] = useState<{ part: 'password' | undefined } | null>(null)
  const [draftPlace, setDraftPlace] = useState<HTMLElement | null>(null)
  const [stepsUnfolded, unfoldSteps] = useState<boolean | null>(null)
  const wide = useMedia('(width >= 56rem)')
  const root = useRef<HTMLDivElement>(null)
  const counts = useCounts()
  const bar = useBar('header')

  useChanges()
  useOnePress()
  useUnreadTitle(counts.messages?.unread ?? 0)
  // Back closes what lies on top: a dialog, else the overlay; guarded like the close buttons. What the login of an ended
  // session leads to is not broken off by a way forward again.
  useBlocker({
    shouldBlockFn: async () => (closeTopDialog() ? !ended : !(await mayLeave())),
    enableBeforeUnload: false,
  })

  const parts = useMemo<DashboardParts>(
    () => ({
      stepsUnfolded,
      unfoldSteps,
      openActivity: (artwork) => setActivityOf({ artwork: artwork ?? null }),
      openAccount: (part) => setAccount({ part }),
      ask,
      wish,
      settle,
      draftPlace,
    }),
    [ask, wish, settle, stepsUnfolded, draftPlace],
  )
  useLayoutEffect(() => {
    // Every tab begins at its top.
    root.current?.closest('[data-scrolls]')?.scrollTo({ top: 0 })
  }, [tab])

  return (
    <DashboardPartsProvider value={parts}>
      <Tabs.Root
        ref={root}
        className={styles.dashboard}
        data-dashboard
        value={tab}
        onValueChange={change}
        orientation={wide ? 'vertical' : 'horizontal'}
        activationMode="manual"
        onKeyUp={showWhole}
      >
        <header ref={bar} className={styles.header}>
          {heading(ADMIN_WORDS.title)}
          <div className={styles.acts}>
            <HeaderButton icon="clock" label="Activity" onClick={() => parts.openActivity()} />
            <HeaderButton icon="person" label="Account" onClick={() => parts.openAccount()} />
            <HeaderButton icon="eye" label="View site" onClick={() => leave(onClose)} />
            <HeaderButton
              icon="leave"
              label={isLeaving ? ADMIN_WORDS.saving : 'Log out'}
              onClick={logOutHere}
            />
          </div>
          <OutdatedBanner />
        </header>
        <DashboardTabs counts={counts} />
        {/* What is begun while a log-out waits would go with it, as an image that was just taken. */}
        <Body className={styles.main} inert={isLeaving}>
          <div ref={setDraftPlace} />
          <KeptPlace name={`banners.${tab}`}>
            <Banners tab={tab} />
          </KeptPlace>
          {TABS.map(({ id }) => (
            <Tabs.Content key={id} value={id} tabIndex={-1}>
              {id === tab && <OpenPanel tab={tab} />}
            </Tabs.Content>
          ))}
          <StatusLine />
        </Body>
      </Tabs.Root>
      <ActivityDialog
        open={activityOf !== null}
        artwork={activityOf?.artwork ?? null}
        onClose={() => setActivityOf(null)}
      />
      <AccountDialog
        open={account !== null}
        toPassword={account?.part === 'password'}
        onClose={() => setAccount(null)}
      />
      <LoginDialog open={ended} ended onClose={leaveEnded} onSuccess={backAgain} />
    </DashboardPartsProvider>
  )
}

function OpenPanel({ tab }: { tab: TabId }) {
  const Panel = PANELS[tab]
  return (
    <CatchBoundary getResetKey={() => tab} errorComponent={PanelFailed}>
      <Suspense fallback={<p role="status">{WORDS.loading}</p>}>
        <Panel />
        <OtherPanels />
      </Suspense>
    </CatchBoundary>
  )
}

/** Stands beside the panel, and so after its chunk. */
function OtherPanels() {
  useFetchedAhead()
  return null
}

/** A tab that fails leaves the other four, and everything typed waits as a draft. */
function PanelFailed({ error, reset }: { error: unknown; reset: () => void }) {
  if (isGone(error)) {
    return (
      <Notice text="The site was renewed." hint="Load the page again to go on." role="alert">
        <Button onClick={loadAgain}>{WORDS.reload}</Button>
      </Notice>
    )
  }
  const tryAgain = (): void => {
    askAgain()
    reset()
  }
  return (
    <Notice text={WORDS.broken} hint="The other tabs still work, and what you typed is kept." role="alert">
      <Button onClick={tryAgain}>{ADMIN_WORDS.retry}</Button>
    </Notice>
  )
}

/**
 * Brings what the keyboard has just reached into view as a whole: of a field the browser shows no more than the line
 * with the caret, and a bar may lie over the others.
 */
function showWhole({ key, target }: KeyboardEvent): void {
  if (key === 'Tab' && target instanceof Element)
    target.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}

function HeaderButton({ icon, label, onClick }: { icon: AdminIconName; label: string; onClick: () => void }) {
  return (
    <Button look="plain" className={styles.word} onClick={onClick}>
      <AdminIcon name={icon} />
      {label}
    </Button>
  )
}

function useCounts(): TabCounts {
  const { data: artworks } = useArtworks()
  const { data: categories } = useCategories()
  const { data: mediums } = useMediums()
  const { data: posts } = usePosts()
  const { data: messages } = useMessages()
  return {
    content: Object.keys(CONTENT_SECTIONS).length,
    ...(artworks && { gallery: artworks.length }),
    ...(categories && mediums && { categories: categories.length + mediums.length }),
    ...(posts && { blog: posts.length }),
    ...(messages && {
      messages: {
        unread: messages.filter(({ isRead, erasing }) => !isRead && !erasing).length,
        all: messages.length,
      },
    }),
  }
}
