const MOST_WORDS = 43;

/**
 * Returns the name of the upstream that a model server in an app gets: lowercase words and hyphens, then a part of the app's
 * ID and the port, so that two apps with one name differ, and two servers of one app.
 * @param suffix tells the team's own upstream from that of the platform
 */
export function upstreamName(
  appName: string,
  app_id: string,
  port: number,
  suffix: '' | '-team' = '',
): string {
  const words = appName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_WORDS)
    .replace(/^-+|-+$/g, '');
  const id = app_id
    .replace(/^(app_|0x)/, '')
    .slice(0, 8)
    .toLowerCase();
  return `${words === '' ? 'model' : words}-${id}-${port}${suffix}`;
}
