export function MessagesTab() {
  return <h2>MessagesTab</h2>
}
