import type { PlatformRole } from '../core/caller';
import type { Networks } from '../core/networks';
import { claimValues } from '../teams/sso';

/** Rules for staff single sign-on, and for where platform roles count. */

export const STAFF_ROLES = [
  'support',
  'finance',
  'infra',
  'admin',
] as const satisfies readonly PlatformRole[];

export interface StaffRoleRule {
  value: string;
  role: PlatformRole;
}

/**
 * Lifetime of a session by staff single sign-on, in seconds, so that users who leave the provider are out after
 * a shift.
 */
export const STAFF_SESSION_SECONDS = 12 * 3600;

/** Lifetime of a session opened by a break-glass link, in seconds. */
export const BREAK_GLASS_SESSION_SECONDS = 3600;

/** How long a break-glass link can be used, in seconds. */
export const BREAK_GLASS_LINK_SECONDS = 15 * 60;

/** Returns the role of the first rule whose value the claim has; null if none matches. */
export const staffRoleFor = (
  claims: Readonly<Record<string, unknown>>,
  { role_claim, role_rules }: { role_claim: string; role_rules: readonly StaffRoleRule[] },
): PlatformRole | null => {
  const values = new Set(claimValues(claims, role_claim));
  return role_rules.find(({ value }) => values.has(value))?.role ?? null;
};

/** Why a platform role doesn't count. */
export type RoleRefusal = 'network' | 'sign_on';

/** Sign-in methods for staff, whose sessions carry the platform role. */
export const isStaffSignIn = (auth_method: string | null): auth_method is 'staff_sso' | 'break_glass' =>
  auth_method === 'staff_sso' || auth_method === 'break_glass';

/**
 * Returns why a session, or a token created in one, has no access to account settings, or null.
 * @param via_sso whether a team's provider opened it. @param auth_method how the session was opened; null for an API token
 */
export const settingsRefusal = ({
  via_sso,
  auth_method,
}: {
  via_sso: boolean;
  auth_method: string | null;
}): 'sso' | 'staff_sso' | 'break_glass' | null =>
  via_sso ? 'sso' : isStaffSignIn(auth_method) ? auth_method : null;

/**
 * Returns why a platform role doesn't count in a request, or null. Checked for every request, so a session from before
 * the setting loses its role too.
 * @param auth_method how the session was opened; null for an API token
 */
export function roleRefusal(
  {
    adminNetworks,
    staffSso,
  }: { adminNetworks: Networks | undefined; staffSso: { required: boolean } | null },
  { ip, auth_method }: { ip: string; auth_method: string | null },
): RoleRefusal | null {
  if (adminNetworks?.has(ip) === false) return 'network';
  return staffSso?.required && !isStaffSignIn(auth_method) ? 'sign_on' : null;
}
