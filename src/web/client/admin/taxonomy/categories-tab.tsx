export function CategoriesTab() {
  return <h2>CategoriesTab</h2>
}
