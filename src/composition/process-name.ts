import { hostname } from 'node:os'

/** What this process is called where several share a site: for whoever asks which one does something. */
export const processName = `${hostname()}/${process.pid}`
