import { operations, type OperationSpec } from '../../generated/api/operations.gen';
import { permissions } from '../../generated/api/permissions.gen';
import type { ViewAs } from '../domain/core/caller';
import { Problem } from '../domain/core/problem';

/** Non-GET requests that change nothing, and ways to end viewing as another user. */
const HARMLESS: ReadonlySet<OperationSpec> = new Set([
  operations.getStatusBatch,
  operations.checkCvmIsAllowed,
  operations.checkAppIsAllowed,
  operations.checkAppCvmsIsAllowed,
  operations.endViewAs,
  operations.deleteSession,
]);

/** Private data that is shown anyway, because every page requests it. */
const SHOWN: ReadonlySet<OperationSpec> = new Set([
  operations.listNotifications,
  operations.getNotificationSettings,
  operations.listAnnouncements,
]);

/**
 * Restricts a user who views the console as another user: no changes, no private data (sessions, second factors,
 * vault) and no admin area. The permission table already makes them a viewer in every team.
 * @throws VIEWING_AS
 */
export function checkViewAs(spec: OperationSpec, { expires_at }: ViewAs): void {
  const until = `until ${expires_at.toISOString()}`;
  if (spec.tag === 'admin')
    throw refused(`The admin area is unavailable while you are viewing as another user (${until}).`);
  if (HARMLESS.has(spec)) return;
  if (spec.method !== 'get')
    throw refused(`You can't change anything while you are viewing as another user (${until}).`);
  const { scope } = permissions[spec.permission] as { scope?: string };
  if (scope === 'session' && !SHOWN.has(spec))
    throw refused(`Private data isn't shown while you are viewing as another user (${until}).`);
}

const refused = (message: string) => new Problem('VIEWING_AS', { message });
