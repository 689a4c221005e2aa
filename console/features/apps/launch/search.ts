const WAYS = ['import', 'agent', 'copy', 'cli'] as const;
export type LaunchOption = (typeof WAYS)[number];

/** The search parameters of the launch page. */
export interface LaunchSearch {
  /** The selected option. */
  way?: LaunchOption | undefined;
  /** The template app. */
  app?: string | undefined;
}

export function launchSearch({ way, app }: Record<string, unknown>): LaunchSearch {
  const appId = typeof app === 'string' && /^[0-9a-f]{40}$/.test(app) ? app : undefined;
  return { way: WAYS.find((one) => one === way) ?? (appId === undefined ? undefined : 'copy'), app: appId };
}

/** Returns the URL with this option open; `base` is one of the page's two URLs. */
export function launchHref(base: string, { way, app }: LaunchSearch): string {
  const query = new URLSearchParams();
  if (way !== undefined) query.set('way', way);
  if (app !== undefined) query.set('app', app);
  const text = query.toString();
  return text === '' ? base : `${base}?${text}`;
}

/** Initial values of the deploy form. */
export interface Start {
  name?: string;
  compose: string;
  pre_launch_script?: string;
  public_logs?: boolean;
  public_sysinfo?: boolean;
  public_tcbinfo?: boolean;
  size?: string;
  /** Values may be empty; the deploy form asks for them. */
  secrets?: readonly { key: string; value: string }[];
}

/** Returns a valid name for a copy: `web` → `web-copy`, `web-copy` → `web-copy-2`. */
export function nextName(name: string): string {
  const match = /^(.*)-copy(?:-(\d+))?$/.exec(name);
  const stem = (match?.[1] ?? name).slice(0, 50).replace(/-+$/, '');
  if (!match) return `${stem}-copy`;
  return `${stem}-copy-${Number(match[2] ?? 1) + 1}`;
}
