import { type Range, defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Artwork } from '#web/contract/artworks.ts'
import { featuredArtworks, publicArtworks } from '../../lib/page-data.ts'
import { droppedBefore, type MoveBefore } from '../arrange/moves.ts'
import { useDrag } from '../arrange/use-drag.ts'
import { useKeptFocus } from '../arrange/use-kept-focus.ts'
import { ArtworkCard, type CardActions, type Preparing } from './card.tsx'
import styles from './cards.module.css'

/** The narrowest card and the space between two, as in the style sheet, in rem and px. */
const CARD_REM = 15.5
const GAP_PX = 16

/** How many cards stand side by side in the element; follows its width and the reader's own text size. */
function useColumns(element: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setColumns(Math.max(1, Math.floor((box.clientWidth + GAP_PX) / (CARD_REM * rem + GAP_PX))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return columns
}

/** What a row is expected to be high until it is measured, in px. */
const ROW_PX = 330
const LINE_PX = 142
const OVERSCAN_ROWS = 2

type CardsProps = {
  artworks: readonly Artwork[]
  /** the whole list, of which `artworks` are shown */
  all: readonly Artwork[]
  actions: CardActions
  arranging: boolean
  onMoveBefore: MoveBefore
  preparingOf: (artwork: Artwork) => Preparing | null
}

/** The artworks as cards in a list of at most 600 px; only the rows near the visible ones stand in the page. */
export function Cards({ artworks, all, actions, arranging, onMoveBefore, preparingOf }: CardsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const sizer = useRef<HTMLDivElement>(null)
  const columns = useColumns(sizer)
  const three = useMemo(() => new Set(featuredArtworks(publicArtworks(all)).map(({ id }) => id)), [all])
  const rows = useMemo(() => inRows(artworks, columns), [artworks, columns])
  const [focusedId, setFocusedId] = useState<string | null>(null)

  const { drag, onPointerDown } = useDrag(scroller, columns === 1, (id, drop) =>
    onMoveBefore(id, droppedBefore(all, drop)),
  )

  // A row that holds the focus or the dragged card stays in the page, however far one scrolls.
  const kept = [focusedId, drag?.id].flatMap((id) => {
    const at = id ? artworks.findIndex((artwork) => artwork.id === id) : -1
    return at < 0 ? [] : [Math.floor(at / columns)]
  })
  // oxlint-disable-next-line react/incompatible-library -- no compiler keeps its functions here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (columns === 1 ? LINE_PX : ROW_PX),
    gap: GAP_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: (index) => rows[index]?.[0]?.id ?? index,
    rangeExtractor: (range: Range) =>
      [...new Set([...kept, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
  })
  const height = virtual.getTotalSize()
  useLayoutEffect(() => {
    sizer.current?.style.setProperty('--height', `${height}px`)
    sizer.current?.style.setProperty('--columns', String(columns))
  }, [height, columns])

  const focus = useKeptFocus(artworks, (index) => virtual.scrollToIndex(Math.floor(index / columns)))

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, hence is reachable by keyboard
    <div ref={scroller} className={styles.scroller} role="group" aria-label="Artworks" tabIndex={0}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears of its cards' own controls */}
      <div
        ref={sizer}
        role="list"
        className={styles.rows}
        onPointerDown={arranging ? onPointerDown : undefined}
        onFocus={({ target }) => {
          setFocusedId(target.closest<HTMLElement>('[data-movable]')?.dataset['movable'] ?? null)
          focus.came(target)
        }}
        onBlur={({ target }) => {
          setFocusedId(null)
          focus.left(target)
        }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <Row key={key} index={index} start={start} measure={virtual.measureElement}>
            {rows[index]?.map((artwork, column) => {
              const place = index * columns + column + 1
              return (
                <div key={artwork.id} role="listitem" aria-setsize={artworks.length} aria-posinset={place}>
                  <ArtworkCard
                    artwork={artwork}
                    actions={actions}
                    arranging={arranging}
                    isBeyondThree={artwork.isFeatured && !three.has(artwork.id)}
                    place={place}
                    of={artworks.length}
                    preparing={preparingOf(artwork)}
                    drop={drag?.drop?.overId === artwork.id ? drag.drop.side : null}
                    dragged={drag?.id === artwork.id}
                  />
                </div>
              )
            })}
          </Row>
        ))}
      </div>
    </div>
  )
}

type RowProps = {
  index: number
  start: number
  measure: (row: HTMLElement | null) => void
  children: ReactNode
}

/** One line of cards, put at its place from the top. */
function Row({ index, start, measure, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    measure(row.current)
    return () => measure(null)
  }, [measure, index])
  useLayoutEffect(() => row.current?.style.setProperty('--start', `${start}px`), [start])
  return (
    <div ref={row} role="presentation" className={styles.row} data-index={index}>
      {children}
    </div>
  )
}

function inRows<T>(items: readonly T[], columns: number): readonly (readonly T[])[] {
  const rows = Math.ceil(items.length / columns)
  return Array.from({ length: rows }, (_, row) => items.slice(row * columns, (row + 1) * columns))
}
