import type { PutSso, SsoConnection, SsoRoleRule } from '../../../../generated/api/types.gen';
import type { Glyph, Tone } from '../../../ui/feedback/status';

export type SsoState = 'none' | 'unverified' | 'suspended' | 'missing' | 'broken' | 'ready' | 'enforced';

/** A broken provider takes precedence over the enforcement state. */
export function ssoState(connection: SsoConnection | null): SsoState {
  if (connection === null) return 'none';
  if (connection.domain_verified_at === null) return 'unverified';
  if (connection.suspended_at !== null) return 'suspended';
  if (connection.domain_missing_since !== null) return 'missing';
  if (connection.last_error !== null) return 'broken';
  return connection.enforced ? 'enforced' : 'ready';
}

export const STATES: Record<SsoState, { tone: Tone; glyph: Glyph; word: string }> = {
  none: { tone: 'neutral', glyph: 'dot', word: 'Not set up' },
  unverified: { tone: 'attention', glyph: 'warning', word: 'Domain not verified' },
  suspended: { tone: 'error', glyph: 'cross', word: 'Suspended' },
  missing: { tone: 'attention', glyph: 'warning', word: 'TXT record missing' },
  broken: { tone: 'error', glyph: 'cross', word: 'Not working' },
  ready: { tone: 'ok', glyph: 'check', word: 'Ready' },
  enforced: { tone: 'ok', glyph: 'shield', word: 'Required' },
};

/** Describes the state in one sentence. */
export function stateSentence(connection: SsoConnection | null): string {
  switch (ssoState(connection)) {
    case 'none':
      return 'Members sign in with an OpenID Connect provider such as Okta, Entra ID, Google Workspace, Keycloak or Authentik, and get their role from it.';
    case 'unverified':
      return `Verify ${connection!.domain} to let members sign in through the provider.`;
    case 'suspended':
      return `Suspended because the TXT record for ${connection!.domain} is missing. No one can sign in through the provider, and it isn’t required.`;
    case 'missing':
      return `The daily check no longer finds the TXT record for ${connection!.domain}. Single sign-on keeps working for now.`;
    case 'broken':
      return `The last attempt failed: ${connection!.last_error}`;
    case 'ready':
      return `Users with an address at ${connection!.domain} can sign in through the provider and become members.`;
    case 'enforced':
      return `Members with an address at ${connection!.domain} can open this team only through the provider. Owners are exempt.`;
  }
}

/** Converts the connection back into a request, so that a change can be sent with it. */
export function asPut(connection: SsoConnection): PutSso {
  const { issuer, client_id, domain, enforced, require_email_verified } = connection;
  const { default_role, role_claim, role_rules } = connection;
  return {
    issuer,
    client_id,
    domain,
    enforced,
    require_email_verified,
    default_role,
    role_claim,
    role_rules,
  };
}

export const NEW_CONNECTION: PutSso = {
  issuer: '',
  client_id: '',
  domain: '',
  enforced: false,
  require_email_verified: true,
  default_role: 'viewer',
  role_claim: null,
  role_rules: [],
};

/** Field names in the conflict view. The secret is never read back. */
export const PUT_LABELS = {
  issuer: 'Issuer',
  client_id: 'Client ID',
  domain: 'Email domain',
  enforced: 'Required',
  require_email_verified: 'Require verified email addresses',
  default_role: 'Default role',
  role_claim: 'Claim',
  role_rules: 'Rules',
} as const satisfies Record<Exclude<keyof PutSso, 'client_secret'>, string>;

export const PUT_FIELDS = [...Object.keys(PUT_LABELS), 'client_secret'];

export const describeRules = (rules: readonly SsoRoleRule[]): string =>
  rules.map(({ value, role }) => `${value}: ${role}`).join(', ') || 'None';

/** Which of the role rules can't be saved: a rule needs a value, and rules need the claim that has their values. */
export const roleFaults = ({ role_claim, role_rules }: Pick<PutSso, 'role_claim' | 'role_rules'>) => ({
  claim: role_rules.length > 0 && (role_claim ?? '').trim() === '',
  rules: role_rules.map(({ value }) => value.trim() === ''),
});

/** Roles a provider can assign. Only owners make owners. */
export const SSO_ROLES = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'member', label: 'Member' },
  { value: 'billing', label: 'Billing' },
  { value: 'admin', label: 'Admin' },
] as const satisfies readonly { value: PutSso['default_role']; label: string }[];

/** Checks of the provider's configuration, in the order the server runs them. */
export const CHECKS = ['Reachable', 'Issuer', 'Endpoints', 'Keys', 'PKCE'] as const;
