export const gate = (): PromiseWithResolvers<void> => Promise.withResolvers<void>()
