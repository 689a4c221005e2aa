import { isTeamTemplateId } from '../../../lib/apps/templateId';
import type { DeletionForm } from '../deletion/deletion';
import type { GuestForm } from '../deploy/guestForm';

const WAYS = ['import', 'template', 'mcp', 'agent', 'copy', 'case', 'cli'] as const;
export type LaunchOption = (typeof WAYS)[number];

/** The search parameters of the launch page. */
export interface LaunchSearch {
  /** The selected option. */
  way?: LaunchOption | undefined;
  /** The app to copy. */
  app?: string | undefined;
  /** Slug of the use case. */
  case?: string | undefined;
  /** ID of the template. */
  template?: string | undefined;
}

/**
 * Validates IDs and slugs only by form. The page says if there is no such app, template or use case; this runs before
 * its code loads.
 */
const isSlug = (text: unknown): text is string => typeof text === 'string' && /^[a-z0-9-]{1,63}$/.test(text);

export function launchSearch({ way, app, case: slug, template: id }: Record<string, unknown>): LaunchSearch {
  const appId = typeof app === 'string' && /^[\w-]{1,64}$/.test(app) ? app : undefined;
  const useCase = isSlug(slug) ? slug : undefined;
  const template = isSlug(id) || isTeamTemplateId(id) ? id : undefined;
  const implied = appId ? 'copy' : useCase ? 'case' : template ? 'template' : undefined;
  return { way: WAYS.find((one) => one === way) ?? implied, app: appId, case: useCase, template };
}

/**
 * Returns the launch page's search parameters for an address of the deploy form that names a template or an app:
 * the launch options fill in the form, and say so if there is none. Null if it names neither.
 */
export function launchFromDeploy({ template, from }: DeploySearch): LaunchSearch | null {
  if (template !== undefined) return { way: 'template', template };
  return from === undefined ? null : { way: 'copy', app: from };
}

/** Search parameters that the deploy form passes to the launch page. */
interface DeploySearch {
  /** ID of the template to start from. */
  template: string | undefined;
  /** The app to copy. */
  from: string | undefined;
}

export function deploySearch({ template, from }: Record<string, unknown>): DeploySearch {
  const launch = launchSearch({ template, app: from });
  return { template: launch.template, from: launch.app };
}

/** Returns the URL with this option open; `base` is one of the page's two URLs. */
export function launchHref(base: string, { way, app, case: slug, template }: LaunchSearch): string {
  const query = new URLSearchParams();
  if (way !== undefined) query.set('way', way);
  if (app !== undefined) query.set('app', app);
  if (slug !== undefined) query.set('case', slug);
  if (template !== undefined) query.set('template', template);
  const text = query.toString();
  return text === '' ? base : `${base}?${text}`;
}

/** Initial values of the deploy form. */
export interface Start extends Partial<DeletionForm>, Partial<GuestForm> {
  name?: string;
  compose: string;
  pre_launch_script?: string;
  public_logs?: boolean;
  public_sysinfo?: boolean;
  public_tcbinfo?: boolean;
  gateway_enabled?: boolean;
  kms_enabled?: boolean;
  secure_time?: boolean;
  storage_fs?: string;
  size?: string;
  /** For a custom size, as typed. */
  vcpu?: string;
  memory_gb?: string;
  /** As typed; empty for the size's default. */
  disk_gb?: string;
  /** The template it comes from. */
  template_id?: string;
  template_name?: string;
  template_version?: string;
  /** Values may be empty; the deploy form asks for them. */
  secrets?: readonly StartSecret[];
}

export interface StartSecret {
  key: string;
  value: string;
  /** Whether this browser generated the value; the form then shows it for copying. */
  generated?: boolean;
}

/** Returns a valid name for a copy: `web` → `web-copy`, `web-copy` → `web-copy-2`. */
export function nextName(name: string): string {
  const match = /^(.*)-copy(?:-(\d+))?$/.exec(name);
  const stem = (match?.[1] ?? name).slice(0, 50).replace(/-+$/, '');
  if (!match) return `${stem}-copy`;
  return `${stem}-copy-${Number(match[2] ?? 1) + 1}`;
}
