/**
 * The first requests of a team's home page. The server lists them in the HTML, so that they run while the code
 * loads; a browser test compares them with the page's actual requests.
 */
export const TEAM_HOME_REQUESTS: readonly string[] = [
  '/api/v1/announcements',
  '/api/v1/apps?page=1&page_size=25',
  '/api/v1/apps/summary',
  '/api/v1/events?q=-kind%3Aboot%2Chost.boot&limit=24',
];
