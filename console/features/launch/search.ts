export const WAYS = ['import', 'agent', 'copy', 'cli'] as const;
export type Way = (typeof WAYS)[number];

/** What the address of the launch page says. */
export interface LaunchSearch {
  /** The way that is opened. */
  way?: Way | undefined;
  /** The app to start from. */
  app?: string | undefined;
}

export function launchSearch({ way, app }: Record<string, unknown>): LaunchSearch {
  const appId = typeof app === 'string' && /^[0-9a-f]{40}$/.test(app) ? app : undefined;
  return { way: WAYS.find((one) => one === way) ?? (appId === undefined ? undefined : 'copy'), app: appId };
}

/** The page with this way open; `base` is one of its two addresses. */
export function launchHref(base: string, { way, app }: LaunchSearch): string {
  const query = new URLSearchParams();
  if (way !== undefined) query.set('way', way);
  if (app !== undefined) query.set('app', app);
  const text = query.toString();
  return text === '' ? base : `${base}?${text}`;
}

/** What the deploy page begins with. */
export interface Start {
  name?: string;
  compose: string;
  pre_launch_script?: string;
  public_logs?: boolean;
  public_sysinfo?: boolean;
  public_tcbinfo?: boolean;
  size?: string;
  /** Values may be empty: they are asked for there. */
  secrets?: readonly { key: string; value: string }[];
}

/** A name for the next app of this kind, by the rule of names: `web` → `web-copy`, `web-copy` → `web-copy-2`. */
export function nextName(name: string): string {
  const match = /^(.*)-copy(?:-(\d+))?$/.exec(name);
  const stem = (match?.[1] ?? name).slice(0, 50).replace(/-+$/, '');
  if (!match) return `${stem}-copy`;
  return `${stem}-copy-${Number(match[2] ?? 1) + 1}`;
}
