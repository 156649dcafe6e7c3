import { Outlet } from '@tanstack/react-router'
import { artworkPath, dataOf, heroTitleOf, publicWorks } from '../lib/page-data.ts'
import { usePublicState } from '../lib/page-store.ts'
import { workClass } from '../lib/work-styles.ts'

export function HomePage() {
  const state = usePublicState()
  const site = dataOf(state['site-content'], null)
  return (
    <>
      <main>
        <h1>{heroTitleOf(site)}</h1>
        <ul>
          {publicWorks(dataOf(state.artworks, [])).map((work) => (
            <li key={work.id} className={workClass(work.id)}>
              <a href={artworkPath(work)}>{work.title}</a>
            </li>
          ))}
        </ul>
      </main>
      <Outlet />
    </>
  )
}
