/** How many sections the Content form has: the tab's count. */
export const CONTENT_SECTIONS = 8
