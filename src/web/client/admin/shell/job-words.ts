/** The jobs behind the scenes in her words, by the names of the jobs; one that an older page does not know goes by its own. */
export const JOB_WORDS: Readonly<Record<string, string>> = {
  'process-image': 'Preparing a picture',
  'process-journal-image': 'Preparing a picture of a journal post',
  'copy-artwork-picture': 'Copying the picture of a work',
  'copy-journal-pictures': 'Copying the pictures of a journal post',
  'sync-blog': 'The sync with the blog',
  'mail-enquiry': 'Mailing a message to you',
}
