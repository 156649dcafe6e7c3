/** Whether a host's name, as a URL has it, is this machine's own: nobody else can be asked under it. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
