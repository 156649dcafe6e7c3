import { useEffect, useState } from 'react'
import { NAVIGATION } from '../lib/constants.ts'

/**
 * Which of the menu's sections stands in the upper part of the window; before the page is taken over, the first.
 * @param active false on pages without the sections, where nothing is in view
 */
export function useSectionInView(active: boolean): string | null {
  const [inView, setInView] = useState<string>(NAVIGATION[0].anchor)
  useEffect(() => {
    if (!active) return
    const sections = NAVIGATION.flatMap(({ anchor }) => document.getElementById(anchor) ?? [])
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find((entry) => entry.isIntersecting)
        if (entered) setInView(entered.target.id)
      },
      // A line a third of the way down: exactly one section crosses it.
      { rootMargin: '-33% 0% -66% 0%' },
    )
    for (const section of sections) observer.observe(section)
    return () => observer.disconnect()
  }, [active])
  return active ? inView : null
}
