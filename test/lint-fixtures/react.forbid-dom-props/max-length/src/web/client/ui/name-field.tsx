export const NameField = () => <input aria-label="Name" maxLength={200} />
