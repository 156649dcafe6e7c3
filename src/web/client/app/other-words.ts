/** Words of the pages that few visitors meet: that of unknown addresses, and the dashboard's before it is there. */
export const OTHER_WORDS = {
  notFoundTitle: '404 Page Not Found',
  notFoundHint: 'Did you forget to add the page to the router?',
  notFoundHome: 'Back to the works',
  notFoundFrame: 'Untitled',
  dashboardNeedsScript: 'The dashboard needs JavaScript.',
  dashboardNeedsScriptHint: 'Switch it on in the settings of your browser, then load this page again.',
  dashboardMissed: 'The dashboard could not be loaded.',
  loadAgain: 'Load again',
} as const
