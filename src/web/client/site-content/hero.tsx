import { HOME_HEADING } from '../lib/constants.ts'
import * as FALLBACK from '../lib/fallback.ts'
import { heroTitleOf } from '../lib/page-data.ts'
import type { PageContent } from '../lib/on-page.ts'
import { textWithSoftBreaks, withSoftBreaks } from '../lib/soft-breaks.ts'
import { Quiet } from '../ui/quiet.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Section } from '../ui/section.tsx'
import { FeaturedArtwork, type FeaturedArtworkProps } from '../artworks/featured-artwork.tsx'
import styles from './hero.module.css'
import { isTallScript, posterLength, posterWord } from './poster-length.ts'

type HeroProps = FeaturedArtworkProps & { site: PageContent | null }

/** The phrases of a subtitle that is written with bullets, each with the bullet behind it. */
function phrases(subtitle: string): string[] {
  const parts = subtitle.split(/\s*•\s*/).filter(Boolean)
  return parts.map((part, index) => (index < parts.length - 1 ? `${part} •` : part))
}

/** The name as a poster, and the featured works in the same view. Empty texts fall back. */
export function Hero({ site, featured, ...strip }: HeroProps) {
  const title = heroTitleOf(site)
  const name = withSoftBreaks(title)
  return (
    <Section id="home" className={styles.hero}>
      <h1
        id={HOME_HEADING}
        tabIndex={-1}
        dir="auto"
        data-length={posterLength(title)}
        data-word={posterWord(name)}
        data-tall={isTallScript(title) || undefined}
      >
        {name}
      </h1>
      <div className={styles.intro}>
        <p className={styles.subtitle} dir="auto">
          {phrases(site?.heroSubtitle || FALLBACK.heroSubtitle).map((phrase, index) => (
            <span key={index}>{textWithSoftBreaks(phrase)} </span>
          ))}
        </p>
        <div className={styles.actions}>
          <ButtonLink look="primary" href="#gallery">
            {textWithSoftBreaks(site?.heroPrimaryButtonText || FALLBACK.heroPrimaryButtonText)}
          </ButtonLink>
          <ButtonLink href="#contact">
            {textWithSoftBreaks(site?.heroSecondaryButtonText || FALLBACK.heroSecondaryButtonText)}
          </ButtonLink>
        </div>
      </div>
      <div className={styles.featured}>
        {featured.status === 'loading' || (featured.status === 'ready' && featured.data.length > 0) ? (
          <>
            <Quiet as="h2">Featured Work</Quiet>
            <FeaturedArtwork featured={featured} {...strip} />
          </>
        ) : null}
        <ButtonLink className={styles.more} href="#gallery">
          View All Artworks
        </ButtonLink>
      </div>
    </Section>
  )
}
