/** The Content tab: the homepage's texts and settings. */
export function ContentTab() {
  return <h2>Homepage Content</h2>
}
