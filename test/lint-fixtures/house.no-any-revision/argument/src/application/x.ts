interface Store { append(stream: string, expected: string, events: readonly unknown[]): void }

export const save = (store: Store): void => store.append('artwork-1', 'any', [])
