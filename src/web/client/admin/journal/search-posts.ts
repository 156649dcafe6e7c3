import type { BlogPost } from '#web/contract/journal.ts'

/** The posts whose title or excerpt holds every word of `text`, in whatever case. */
export function postsWith(posts: readonly BlogPost[], text: string): readonly BlogPost[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return posts
  return posts.filter(({ title, excerpt }) => {
    const all = `${title}\n${excerpt}`.toLocaleLowerCase()
    return words.every((word) => all.includes(word))
  })
}
