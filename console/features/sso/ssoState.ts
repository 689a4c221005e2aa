import type { PutSso, SsoConnection } from '../../../generated/api/types.gen';
import type { Glyph, Tone } from '../../ui/feedback/status';

export type SsoState = 'none' | 'unverified' | 'broken' | 'ready' | 'enforced';

/** A provider that stopped working is worth more attention than whether it is required. */
export function ssoState(connection: SsoConnection | null): SsoState {
  if (connection === null) return 'none';
  if (connection.domain_verified_at === null) return 'unverified';
  if (connection.last_error !== null) return 'broken';
  return connection.enforced ? 'enforced' : 'ready';
}

export const STATES: Record<SsoState, { tone: Tone; glyph: Glyph; word: string }> = {
  none: { tone: 'neutral', glyph: 'dot', word: 'Not set up' },
  unverified: { tone: 'attention', glyph: 'warning', word: 'Domain not verified' },
  broken: { tone: 'error', glyph: 'cross', word: 'Not working' },
  ready: { tone: 'ok', glyph: 'check', word: 'Ready' },
  enforced: { tone: 'ok', glyph: 'shield', word: 'Required' },
};

/** What it means for people, in a sentence. */
export function stateSentence(connection: SsoConnection | null): string {
  switch (ssoState(connection)) {
    case 'none':
      return 'Members sign in with an OpenID Connect provider such as Okta, Entra ID, Google Workspace, Keycloak or Authentik, and get their role from it.';
    case 'unverified':
      return `Nobody signs in through the provider until the team has proved that ${connection!.domain} is its own.`;
    case 'broken':
      return `The last attempt failed: ${connection!.last_error}`;
    case 'ready':
      return `People with an address at ${connection!.domain} can sign in through the provider. Whoever does becomes a member.`;
    case 'enforced':
      return `Members with an address at ${connection!.domain} reach this team only through the provider. Owners are exempt.`;
  }
}

/** The connection as it is, to be sent again with a change. */
export function asPut(connection: SsoConnection): PutSso {
  const { issuer, client_id, domain, enforced, default_role, role_claim, role_rules } = connection;
  return { issuer, client_id, domain, enforced, default_role, role_claim, role_rules };
}

/** Roles a provider can give: people make owners. */
export const SSO_ROLES = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'member', label: 'Member' },
  { value: 'billing', label: 'Billing' },
  { value: 'admin', label: 'Admin' },
] as const satisfies readonly { value: PutSso['default_role']; label: string }[];

/** What one has to write at the provider, in the order in which its own form asks for it. */
export const CHECKS = ['Reachable', 'Issuer', 'Endpoints', 'Keys', 'PKCE'] as const;
