import type { PageContent } from '../lib/on-page.ts'
import { ACHIEVEMENT_DEFAULTS, type AchievementDefault } from '../lib/constants.ts'

/**
 * The four achievements: each is hers when its number or label is set, otherwise the default.
 * One of hers without an icon keeps the default's.
 */
export function achievementsOf(site: PageContent | null): AchievementDefault[] {
  if (!site) return [...ACHIEVEMENT_DEFAULTS]
  const hers: AchievementDefault[] = [
    { icon: site.achievement1Icon, number: site.achievement1Number, label: site.achievement1Label },
    { icon: site.achievement2Icon, number: site.achievement2Number, label: site.achievement2Label },
    { icon: site.achievement3Icon, number: site.achievement3Number, label: site.achievement3Label },
    { icon: site.achievement4Icon, number: site.achievement4Number, label: site.achievement4Label },
  ]
  return ACHIEVEMENT_DEFAULTS.map((fallback, index) => {
    const own = hers[index]
    if (!own || (!own.number && !own.label)) return fallback
    return { ...own, icon: own.icon || fallback.icon }
  })
}
