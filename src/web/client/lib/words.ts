/** Words that several screens say; what one screen says stands in it (ADR 45). */

export const close = 'Close'
export const mainMenu = 'Main'
export const galleryLoading = 'Loading artworks'
export const imageMissing = 'The picture cannot be shown'
export const broken = 'This part of the page could not be shown.'
export const reload = 'Load again'
export const featuredBadge = 'Featured'
export const loading = 'Loading...'
export const loadingAdmin = 'Loading admin panel...'
export const email = 'Email'
export const notFoundTitle = '404 Page Not Found'
export const notFoundHome = 'Back to the works'
/** Of a list that could not be fetched again after a change. */
export const outdated = 'What you see may be out of date: it could not be loaded again after a change.'
export const tryAgain = 'Try again'
