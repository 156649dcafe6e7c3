export interface JournalHtmlOptions {
  /** address of the post: relative links and images are resolved against it */
  readonly baseUrl: string | null
  /**
   * Where an image of the post (by its absolute address) is shown from; null leaves the image out.
   * Without this function images keep their absolute http(s) addresses.
   */
  readonly imageFor?: (sourceUrl: string) => string | null
  /** bytes of its JSON; longer HTML is cut behind a whole block and ends with a link to the post */
  readonly maxBytes?: number
}

/** HTML from the owner's editor and from the blog, made safe by allow lists. Pure; same input, same output. */
export interface HtmlSanitiser {
  /** Texts of the site: p, br, strong, em, a, ul, ol, li, blockquote; http, https, mailto, tel. */
  readonly siteText: (html: string) => string
  /** Journal content: also headings, images, tables, figures, code. */
  readonly journal: (html: string, options: JournalHtmlOptions) => string
  /** Absolute http(s) addresses of the images in a journal post, each once, in reading order. */
  readonly imagesOf: (html: string, baseUrl: string | null) => readonly string[]
  /** The beginning of HTML or plain text as plain text, blanks collapsed, at most `max` characters (default 220), cut at a word and ended with `…`. */
  readonly excerptOf: (html: string, max?: number) => string
}
