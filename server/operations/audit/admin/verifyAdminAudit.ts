import { adminAuditEntry, chainOfEntry, noteCheck } from '../../../db/audit/adminAudit';
import { adminOne } from '../../../db/core/adminList';
import { verifyChain } from '../../../db/audit/auditVerify';
import { adminAuditOut } from '../../../domain/accounts/adminAccountResponse';
import type { Handler } from '../../types';
import { missing } from '../../core/admin/resource';
import { audit as entries } from '../../core/admin/resourcesPeople';

/**
 * Walks the whole chain that the entry belongs to before writing anything; other writers continue meanwhile.
 */
export const verifyAdminAudit: Handler<'verifyAdminAudit'> = async ({ path, ctx }) => {
  const chain = await chainOfEntry(ctx.db, path.id);
  if (chain === undefined) throw missing(entries, path.id);
  const report = await verifyChain(ctx.db, chain);
  return ctx.write(async ({ trx, audit }) => {
    await noteCheck(trx, chain, report);
    await audit({
      action: 'audit.verify',
      target_kind: 'audit_chain',
      target_id: report.name,
      team_id: null,
      after: { entries: report.entries, broken: report.broken?.message ?? null },
    });
    const row = await adminOne(trx, adminAuditEntry, path.id);
    if (!row) throw missing(entries, path.id);
    return { status: 200, body: adminAuditOut(row) } as const;
  });
};
