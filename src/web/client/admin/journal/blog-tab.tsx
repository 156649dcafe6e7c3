export function BlogTab() {
  return <h2>BlogTab</h2>
}
