import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { appPagePath, versionPath, watchPath } from '../../../../console/lib/public/site';
import { utcMinute } from '../../core/dates';
import { named, oneLine } from './plain';
import type { Origin, Site } from './types';

/** Pages that email links to. */
export const pages = {
  login: (site: Site) => at(site, 'login'),
  settings: (site: Site) => at(site, 'account', 'settings'),
  linkedProviders: (site: Site) => `${at(site, 'account', 'settings')}?section=sso`,
  forgotten: (site: Site) => at(site, 'reset-password'),
  verifyEmail: (site: Site, token: string) => at(site, 'verify-email', token),
  resetPassword: (site: Site, token: string) => at(site, 'reset-password', token),
  invitation: (site: Site, token: string) => at(site, 'invite', token),
  members: (site: Site, team_slug: string) => at(site, team_slug, 'members'),
  security: (site: Site, team_slug: string) => `${at(site, team_slug, 'members')}?tab=security`,
  tokens: (site: Site, team_slug: string) => at(site, team_slug, 'tokens'),
  team: (site: Site, team_slug: string) => at(site, team_slug),
  deploy: (site: Site, team_slug: string) => at(site, team_slug, 'deploy'),
  cvm: (site: Site, team_slug: string, vm_uuid: string) => at(site, team_slug, 'cvms', vm_uuid),
  billing: (site: Site, team_slug: string) =>
    `${at(site, 'setup-billing')}?team=${encodeURIComponent(team_slug)}`,
  invoices: (site: Site, team_slug: string) =>
    `${at(site, 'transactions')}?team=${encodeURIComponent(team_slug)}&tab=invoices`,
  gpuTee: (site: Site, team_slug: string) =>
    `${at(site, 'dashboard', 'gpu-tee')}?team=${encodeURIComponent(team_slug)}`,
  publicApp: (site: Site, app_id: string) => site.url + appPagePath(app_id),
  publicVersion: (site: Site, app_id: string, number: number) => site.url + versionPath(app_id, number),
  watch: (site: Site, token: string) => site.url + watchPath(token),
  financeActions: (site: Site) => at(site, 'admin', 'finance-actions'),
  abuseReports: (site: Site) => at(site, 'admin', 'abuse-reports'),
  notifications: (site: Site) => `${at(site, 'account', 'settings')}?section=notifications`,
};

const at = (site: Site, ...segments: string[]) => `${site.url}/${segments.map(encodeURIComponent).join('/')}`;

/** Returns the host name, such as "cloud.example.com", which distinguishes installations. */
export const hostOf = (site: Site) => new URL(site.url).host;

export function originFacts(origin: Origin): [string, string][] {
  const facts: [string, string | null][] = [
    ['When', utcMinute(origin.at)],
    ['Device', origin.device === null ? null : cutWhole(oneLine(origin.device), 100)],
    ['Location', origin.place === null ? null : cutWhole(oneLine(origin.place), 100)],
    ['IP address', origin.ip === null ? null : oneLine(origin.ip).slice(0, 64)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
}

export const worksUntil = (expires_at: Date) =>
  `The link can be used once and expires on ${utcMinute(expires_at)}.`;

/** "“Ada” (ada@example.com)" */
export const nameAndAddress = (name: string, email: string) => `${named(name)} (${oneLine(email)})`;
