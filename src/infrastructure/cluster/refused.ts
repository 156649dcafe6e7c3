/** A server does not let the site in, or its address cannot be used. The message names the setting, and holds no password. */
export class Refused extends Error {
  override readonly name = 'Refused'
}
