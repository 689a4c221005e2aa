import { findAuditDestination, retryDestination } from '../../../db/audit/auditDestinations';
import { testEntry } from '../../../domain/audit/exportedEntry';
import { Problem } from '../../../domain/core/problem';
import { deliverEntries } from '../../../jobs/audit/deliverEntries';
import { userOf } from '../../core/caller';
import { missing } from '../../core/admin/resource';
import { auditDestinations } from '../../core/admin/resourcesSystem';
import type { Handler } from '../../types';
import { destinationReply } from './destination';

/** The administrator waits for the result. */
const TEST_MS = 10_000;

export const testAdminAuditDestination: Handler<'testAdminAuditDestination'> = async ({ path, ctx }) => {
  const destination = await findAuditDestination(ctx.db, path.id);
  if (!destination) throw missing(auditDestinations, path.id);
  const at = new Date();
  const { public_id: id, username: name } = userOf(ctx);
  const entry = testEntry(at, { id, name }, ctx.request_id);
  const outlets = { ...ctx.auditOutlets, seal: ctx.seal, publicUrl: ctx.config.publicUrl };
  // Before the transaction, so that a slow receiver holds no locks.
  const outcome = await deliverEntries(outlets, destination, [entry], {
    at,
    test: true,
    timeout_ms: TEST_MS,
  });
  const error = 'error' in outcome ? outcome.error : null;
  const reply = await ctx.write(async ({ trx, audit }) => {
    if (error === null) await retryDestination(trx, path.id);
    await audit({
      action: 'audit_destination.test',
      target_kind: 'audit_destination',
      target_id: String(path.id),
      after: { name: destination.name, delivered: error === null, error },
    });
    return error === null ? destinationReply(trx, path.id) : null;
  });
  if (!reply) throw new Problem('UPSTREAM_UNREACHABLE', { message: error ?? '', is_external: true });
  return reply;
};
