/** What the address of the launch page says. */
export interface LaunchSearch {
  /** The app to start from. */
  app?: string | undefined;
}

export function launchSearch(search: Record<string, unknown>): LaunchSearch {
  const { app } = search;
  return { app: typeof app === 'string' && /^[0-9a-f]{40}$/.test(app) ? app : undefined };
}
