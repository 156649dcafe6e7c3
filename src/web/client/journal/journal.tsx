import type { PageJournal } from '../lib/on-page.ts'
import type { Loadable } from '../lib/page-data.ts'
import { ButtonLink } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { Section, SectionHeading } from '../ui/section.tsx'
import { Outdated, Retry } from '../ui/retry.tsx'
import styles from './journal.module.css'
import { PlaceholderPost, PostCard } from './post-card.tsx'

const HEADING = "Artist's Journal"
const PLACEHOLDERS = 3

type JournalProps = {
  journal: Loadable<PageJournal>
  blogUrl: string
}

function BlogLink({ href, children }: { href: string; children: string }) {
  return (
    <ButtonLink href={href} target="_blank" rel="noopener">
      {children}
      <Icon name="outward" />
    </ButtonLink>
  )
}

function Posts({ journal, blogUrl }: JournalProps) {
  if (journal.status === 'loading') {
    return (
      <ul className={styles.posts} aria-label="Loading the journal">
        {Array.from({ length: PLACEHOLDERS }, (_, index) => (
          <PlaceholderPost key={index} />
        ))}
      </ul>
    )
  }
  if (journal.status === 'failed')
    return (
      <Notice role="alert" text="The journal could not be loaded.">
        <Retry again={journal} />
        {blogUrl && <BlogLink href={blogUrl}>Visit Blog</BlogLink>}
      </Notice>
    )
  const { posts, hasMore } = journal.data
  if (posts.length === 0) {
    return (
      <Notice text="No blog posts available. Check back soon for updates!">
        {blogUrl && <BlogLink href={blogUrl}>Visit Blog</BlogLink>}
      </Notice>
    )
  }
  return (
    <>
      <ul className={classNames(styles.posts, posts.length === 1 && styles.single)}>
        {posts.map((post, index) => (
          <PostCard key={post.id} post={post} first={index === 0} />
        ))}
      </ul>
      {blogUrl && hasMore && (
        <div className={styles.foot}>
          <BlogLink href={blogUrl}>View All Posts</BlogLink>
        </div>
      )}
    </>
  )
}

/** Artist's Journal: one lead post and two beside it; without a blog nothing leads there. */
export function Journal({ journal, blogUrl }: JournalProps) {
  return (
    <Section id="blogs" labelledBy="blogs-heading" busy={journal.status === 'loading'}>
      <SectionHeading id="blogs-heading">
        {blogUrl ? (
          <a href={blogUrl} target="_blank" rel="noopener">
            {HEADING}
          </a>
        ) : (
          HEADING
        )}
      </SectionHeading>
      <Outdated lists={[journal]} />
      <Posts journal={journal} blogUrl={blogUrl} />
    </Section>
  )
}
