/** What a button says that only the program can answer, when the program did not come. */
export const LATE =
  'This part of the page could not be loaded yet. Please check your connection and try again.'
