import type { TeamRole } from '../core/caller';
import type { SsoRole, SsoRoleRule } from './sso';
import { defineVersion } from '../core/version';

/** The fields that forms edit of a team and its records; see `Version`. */

export interface EditedTeam {
  name: string;
  slug: string;
  require_second_factor: boolean;
  confidential_models_enabled: boolean;
}

export const teamVersion = defineVersion<EditedTeam>('t1', [
  { field: 'name', value: ({ name }) => name },
  { field: 'slug', value: ({ slug }) => slug },
  { field: 'require_second_factor', value: (team) => team.require_second_factor },
  { field: 'confidential_models_enabled', value: (team) => team.confidential_models_enabled },
]);

export const memberVersion = defineVersion<{ role: TeamRole }>('m1', [
  { field: 'role', value: ({ role }) => role },
]);

interface EditedToken {
  name: string;
  revoked_at: Date | null;
  default_version: string | null;
}

export const tokenVersion = defineVersion<EditedToken>('k1', [
  { field: 'name', value: ({ name }) => name },
  { field: 'revoked_at', value: ({ revoked_at }) => revoked_at },
  { field: 'default_version', value: ({ default_version }) => default_version },
]);

export interface EditedWebhook {
  url: string;
  name: string | null;
  events: readonly string[];
  enabled: boolean;
  format: string;
  sealed_secret: string;
  secret_hint: string;
}

export const webhookVersion = defineVersion<EditedWebhook>('w1', [
  { field: 'url', value: ({ url }) => url },
  { field: 'name', value: ({ name }) => name },
  { field: 'events', value: ({ events }) => events },
  { field: 'enabled', value: ({ enabled }) => enabled },
  { field: 'secret', value: (row) => row.sealed_secret, report: ({ secret_hint }) => secret_hint },
  { field: 'format', value: ({ format }) => format },
]);

export interface EditedConnection {
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  domain: string;
  enforced: boolean;
  default_role: SsoRole;
  role_claim: string | null;
  role_rules: readonly SsoRoleRule[];
  require_email_verified: boolean;
}

/** Null before there is a connection. */
export const ssoVersion = defineVersion<EditedConnection | null>('s1', [
  { field: 'issuer', value: (row) => row?.issuer },
  { field: 'client_id', value: (row) => row?.client_id },
  { field: 'client_secret', value: (row) => row?.sealed_client_secret, report: () => 'replaced' },
  { field: 'domain', value: (row) => row?.domain },
  { field: 'enforced', value: (row) => row?.enforced },
  { field: 'default_role', value: (row) => row?.default_role },
  { field: 'role_claim', value: (row) => row?.role_claim },
  { field: 'role_rules', value: (row) => row?.role_rules },
  { field: 'require_email_verified', value: (row) => row?.require_email_verified },
]);
