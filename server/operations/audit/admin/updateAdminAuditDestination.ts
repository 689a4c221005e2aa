import { adminAuditDestinations, lockAuditDestination } from '../../../db/audit/auditDestinations';
import { adminOne } from '../../../db/core/adminList';
import { namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { changeRow, missing } from '../../core/admin/resource';
import { auditDestinations } from '../../core/admin/resourcesSystem';
import type { Handler } from '../../types';
import {
  audited,
  checkedAddress,
  checkedCertificate,
  checkedClient,
  DESTINATION_NAMES,
  sealedSecret,
} from './destination';

export const updateAdminAuditDestination: Handler<'updateAdminAuditDestination'> = async ({
  path,
  body,
  ctx,
}) => {
  const found = await adminOne(ctx.db, adminAuditDestinations, path.id);
  if (!found) throw missing(auditDestinations, path.id);
  // Kinds never change.
  const { kind } = found;
  const { name, secret, ca_certificate, client_certificate, client_key } = body;
  const address = body.address === undefined ? undefined : await checkedAddress(ctx, kind, body.address);
  return namingConflict(DESTINATION_NAMES, () =>
    changeRow(ctx, auditDestinations, path.id, {
      kind: 'audit_destination',
      patch: {
        name,
        address,
        sealed_secret: secret === undefined ? undefined : sealedSecret(ctx, kind, secret),
        ca_certificate: ca_certificate === undefined ? undefined : checkedCertificate(kind, ca_certificate),
        // A key alone must still match the stored certificate.
        ...(client_certificate === undefined && client_key === undefined
          ? {}
          : checkedClient(
              ctx,
              kind,
              client_certificate === undefined ? found.client_certificate : client_certificate,
              client_key,
            )),
      },
      lock: lockAuditDestination,
      async check(_trx, changes, before) {
        // Requests signed with the stored secret must not go to a receiver that doesn't already have it.
        if (
          kind === 'webhook' &&
          changes.address !== undefined &&
          changes.sealed_secret === undefined &&
          new URL(changes.address).origin !== new URL(before.address).origin
        )
          throw invalid('secret', `Enter it again. The stored one is for ${new URL(before.address).origin}.`);
      },
      shown: (row) => audited({ ...row, kind }),
      write: (trx, changes) =>
        trx
          .updateTable('audit_destinations')
          // Applies the new settings immediately.
          .set({ ...changes, next_attempt_at: null })
          .where('id', '=', path.id)
          .execute(),
    }),
  );
};
