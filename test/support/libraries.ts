/** Whether a built script holds nothing but React, router and Query, and what the bundler needs for them. */
export const isLibrary = (file: string): boolean => /\/(?:react|tanstack|rolldown-runtime)-/.test(file)
