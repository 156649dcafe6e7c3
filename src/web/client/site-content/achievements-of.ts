import type { PageContent } from '../lib/on-page.ts'
import { ACHIEVEMENT_DEFAULTS, ACHIEVEMENTS } from '../lib/constants.ts'

/**
 * The four achievements: each is hers when its number or label is set, otherwise the default.
 * One of hers without an icon keeps the default's.
 */
export function achievementsOf(site: PageContent | null): { icon: string; number: string; label: string }[] {
  return ACHIEVEMENTS.map((each) => {
    const fallback = ACHIEVEMENT_DEFAULTS[each]
    const number = site?.[`achievement${each}Number`] ?? ''
    const label = site?.[`achievement${each}Label`] ?? ''
    if (!number && !label) return fallback
    return { icon: site?.[`achievement${each}Icon`] || fallback.icon, number, label }
  })
}
