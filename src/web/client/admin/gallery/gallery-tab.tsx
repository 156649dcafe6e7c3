/** The Gallery tab: the works. */
export function GalleryTab() {
  return <h2>Gallery Management</h2>
}
