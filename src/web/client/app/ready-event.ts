/** Told on the window when the page is taken over: the names of a module's exports do not outlast the bundler. */
export const READY_EVENT = 'atelier-ready'
