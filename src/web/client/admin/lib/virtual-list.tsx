import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import styles from './virtual-list.module.css'

type VirtualListProps<Item> = {
  items: readonly Item[]
  /** about how tall an item is, in pixels, with the space below it; measured once it is shown */
  estimate: number
  label?: string
  className?: string | undefined
  /** draws an item; give the same function while nothing changes, so that scrolling draws only what comes new */
  children: (item: Item) => ReactNode
}

/** Items kept above and below the visible ones, so that Tab and scrolling find them ready. */
const OVERSCAN = 4

/**
 * A list of which only what is near the screen exists: 5,000 messages scroll like five. It scrolls with the
 * dashboard, the nearest `[data-scrolls]`.
 */
export function VirtualList<Item extends { readonly id: string }>({
  items,
  estimate,
  label,
  className,
  children,
}: VirtualListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const [margin, setMargin] = useState(0)
  // oxlint-disable-next-line react/incompatible-library -- nothing that it gives is handed to a memoized component
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current?.closest('[data-scrolls]') ?? null,
    estimateSize: () => estimate,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: margin,
    // A frame may come a moment later; drawing inside the scroll event would hold the scrolling up.
    useFlushSync: false,
  })

  useLayoutEffect(() => {
    const scroller = list.current?.closest('[data-scrolls]')
    if (!list.current || !scroller) return
    const measure = (): void => {
      if (!list.current) return
      setMargin(
        list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
      )
    }
    measure()
    // What stands above the list (banners, a panel) may come and go.
    const observer = new ResizeObserver(measure)
    if (list.current.parentElement) observer.observe(list.current.parentElement)
    return () => observer.disconnect()
  }, [])

  const height = virtualizer.getTotalSize()
  useLayoutEffect(() => {
    list.current?.style.setProperty('block-size', `${height}px`)
  }, [height])
  return (
    <ul ref={list} className={classNames(styles.list, className)} aria-label={label}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index]
        if (item === undefined) return null
        return (
          <VirtualItem
            key={key}
            index={index}
            of={items.length}
            offset={start - margin}
            measure={virtualizer.measureElement}
          >
            <Drawn item={item} draw={children} />
          </VirtualItem>
        )
      })}
    </ul>
  )
}

/** What stands in an item; while it only moves, it is not drawn again. */
const Drawn = memo(function Drawn<Item>({ item, draw }: { item: Item; draw: (item: Item) => ReactNode }) {
  return draw(item)
}) as <Item>(props: { item: Item; draw: (item: Item) => ReactNode }) => ReactNode // memo forgets the type parameter

type VirtualItemProps = {
  index: number
  of: number
  /** from the list's upper edge, in pixels */
  offset: number
  measure: (element: Element | null) => void
  children: ReactNode
}

function VirtualItem({ index, of, offset, measure, children }: VirtualItemProps) {
  const item = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    item.current?.style.setProperty('translate', `0 ${offset}px`)
  }, [offset])
  useLayoutEffect(() => {
    measure(item.current)
    return () => measure(null)
  }, [measure])
  return (
    <li ref={item} data-index={index} className={styles.item} aria-setsize={of} aria-posinset={index + 1}>
      {children}
    </li>
  )
}
