import { operations, type OperationSpec } from '../../generated/api/operations.gen';
import type { Permission } from '../../generated/api/permissions.gen';
import { isOfPlatform, isOfTeam } from '../domain/teams/permissions';
import { Problem } from '../domain/core/problem';

/** Shows the profile, public keys and catalog; changes nothing. */
const READING: ReadonlySet<Permission> = new Set([
  'public',
  'signed_in',
  'account.read',
  'ssh_keys.read',
  'catalogue.read',
]);

/** Changes within the team, or preferences. Each handler checks the caller's team. */
const WITHIN: ReadonlySet<OperationSpec> = new Set([
  operations.endViewAs,
  operations.getStepUp,
  operations.stepUp,
  operations.createStepUpChallenge,
  operations.getDeviceAuthorization,
  operations.decideDeviceAuthorization,
  operations.setDefaultWorkspace,
  operations.leaveWorkspace,
  operations.getVault,
  operations.listNotifications,
  operations.markNotificationsRead,
  operations.listAnnouncements,
  operations.dismissAnnouncement,
  operations.getNotificationSettings,
  operations.updateNotificationSettings,
  operations.updateNotificationPreferences,
]);

/**
 * A provider's operator can sign in as any of its users. Such a session, and a token created in one, works only
 * in the provider's team, at most as an admin; account settings require the account's own sign-in. Staff SSO and
 * break-glass sessions have no account settings either. An unlisted operation is refused.
 * @throws OWN_SIGN_IN_REQUIRED
 */
export function checkSsoReach(spec: OperationSpec): void {
  // Sessions of a team's provider have no platform role.
  if (isOfTeam(spec.permission) || isOfPlatform(spec.permission)) return;
  if (READING.has(spec.permission) || WITHIN.has(spec)) return;
  throw new Problem('OWN_SIGN_IN_REQUIRED', {
    message:
      "Single sign-on and break-glass links don't give access to account settings. Sign out, then sign in with your own password or passkey.",
    suggestions: ['No password yet? Request a reset link on the sign-in page to set one.'],
  });
}
