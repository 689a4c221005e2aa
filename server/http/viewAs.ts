import { operations, type OperationSpec } from '../../generated/api/operations.gen';
import { permissions } from '../../generated/api/permissions.gen';
import type { ViewAs } from '../domain/caller';
import { Problem } from '../domain/problem';

/** What changes nothing although it is sent as a change would be, and the ways out. */
const HARMLESS: ReadonlySet<OperationSpec> = new Set([
  operations.getStatusBatch,
  operations.checkCvmIsAllowed,
  operations.checkAppIsAllowed,
  operations.checkAppCvmsIsAllowed,
  operations.endViewAs,
  operations.deleteSession,
]);

/** What belongs to the person alone and is shown all the same, because pages everywhere ask for it. */
const SHOWN: ReadonlySet<OperationSpec> = new Set([
  operations.listNotifications,
  operations.getNotificationSettings,
  operations.listAnnouncements,
]);

/**
 * Who looks at the console as somebody else changes nothing, and sees neither what is that person's alone (sessions,
 * second factors, vault) nor the admin area; that they are a viewer in every team is known to the table already.
 * @throws VIEWING_AS
 */
export function checkViewAs(spec: OperationSpec, { expires_at }: ViewAs): void {
  const until = `until ${expires_at.toISOString()}`;
  if (spec.tag === 'admin')
    throw refused(`The admin area is closed while you view as somebody else (${until}).`);
  if (HARMLESS.has(spec)) return;
  if (spec.method !== 'get')
    throw refused(`Nothing can be changed while you view as somebody else (${until}).`);
  const { scope } = permissions[spec.permission] as { scope?: string };
  if (scope === 'session' && !SHOWN.has(spec))
    throw refused(`This belongs to that person alone, and is not shown while you view as them (${until}).`);
}

const refused = (message: string) => new Problem('VIEWING_AS', { message });
