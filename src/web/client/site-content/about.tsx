import { useState } from 'react'
import type { PageContent } from '../lib/on-page.ts'
import { dataOf, type Loadable } from '../lib/page-data.ts'
import * as FALLBACK from '../lib/fallback.ts'
import { htmlWithSoftBreaks, textWithSoftBreaks, withSoftBreaks } from '../lib/soft-breaks.ts'
import { Quiet } from '../ui/quiet.tsx'
import { Outdated } from '../ui/retry.tsx'
import { Section } from '../ui/section.tsx'
import { SiteImage } from '../ui/site-image.tsx'
import { SkeletonBar, skeletonBox } from '../ui/skeleton.tsx'
import styles from './about.module.css'
import { Achievements } from './achievements.tsx'
import { classNames } from '../ui/class-names.ts'
import { paragraphs } from '../ui/paragraphs.ts'

type AboutProps = {
  /** while they are on their way only what is fixed stands here */
  texts: Loadable<PageContent>
  artistName: string
}

/** Her portrait; an image that cannot be had is replaced once, never in a loop. */
function Portrait({ url, artistName }: { url: string; artistName: string }) {
  const [failed, setFailed] = useState<string | null>(null)
  const src = url && url !== failed ? url : FALLBACK.profileImageUrl
  return (
    <figure className={styles.portrait}>
      <SiteImage
        src={src}
        sizes="(max-width: 44rem) 92vw, min(38vw, 700px)"
        width={960}
        height={1200}
        alt={`Portrait of ${artistName}`}
        onFail={() => src !== FALLBACK.profileImageUrl && setFailed(src)}
      />
      <figcaption dir="auto">{withSoftBreaks(artistName)}</figcaption>
    </figure>
  )
}

function Quote({ site }: { site: PageContent }) {
  const points = [site.quoteBulletPoint1, site.quoteBulletPoint2, site.quoteBulletPoint3].filter(Boolean)
  if (!site.artistQuote && points.length === 0) return null
  return (
    <div className={styles.quote}>
      {site.artistQuote && (
        <blockquote dir="auto">
          <p>“{textWithSoftBreaks(site.artistQuote.replace(/^["“”]+|["“”]+$/g, ''))}”</p>
        </blockquote>
      )}
      {points.length > 0 && (
        <ul className={styles.points}>
          {points.map((point, index) => (
            <li key={index} dir="auto">
              {textWithSoftBreaks(point)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Paragraphs({ of }: { of: readonly string[] }) {
  return of.flatMap(paragraphs).map((text, index) => (
    <p key={index} dir="auto">
      {textWithSoftBreaks(text)}
    </p>
  ))
}

/** Portrait, quote, biography and achievements; every text that is empty leaves no gap. */
export function About({ texts, artistName }: AboutProps) {
  const site = dataOf(texts, null)
  return (
    <Section id="about" className={styles.about} labelledBy="about-heading" busy={site === null}>
      <Quiet as="h2" id="about-heading">
        About
      </Quiet>
      <Outdated lists={[texts]} />
      {site ? (
        <Portrait url={site.profileImageUrl} artistName={artistName} />
      ) : (
        <div className={styles.portrait}>
          <span className={classNames(styles.awaited, skeletonBox)} />
        </div>
      )}
      {!site && (
        <div className={styles.story}>
          <SkeletonBar length="long" />
          <SkeletonBar length="long" />
          <SkeletonBar length="half" />
        </div>
      )}
      {site && (
        <div className={styles.story}>
          <Quote site={site} />
          <div className={styles.bio}>
            <Paragraphs of={[site.artistBio]} />
            {site.artistDescription && (
              // Sanitised by the server when it was saved and again when it was read.
              <div
                className={styles.rich}
                dangerouslySetInnerHTML={{ __html: htmlWithSoftBreaks(site.artistDescription) }}
              />
            )}
            <Paragraphs of={[site.bioParagraph3, site.bioParagraph4]} />
          </div>
        </div>
      )}
      {(site?.showAchievements ?? true) && <Achievements site={site} />}
    </Section>
  )
}
