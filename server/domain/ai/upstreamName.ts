const MAX_WORDS = 43;

/**
 * Returns the upstream name for a model server in an app: lowercase words and hyphens, then a part of the app's
 * ID and the port, which distinguish two apps with one name and two servers of one app.
 * @param suffix distinguishes the team's own upstream from the platform's
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
    .slice(0, MAX_WORDS)
    .replace(/^-+|-+$/g, '');
  const id = app_id
    .replace(/^(app_|0x)/, '')
    .slice(0, 8)
    .toLowerCase();
  return `${words === '' ? 'model' : words}-${id}-${port}${suffix}`;
}
