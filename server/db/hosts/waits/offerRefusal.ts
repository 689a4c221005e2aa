import { availableFunds } from '../../../domain/billing/funds';
import { ratesOf } from '../../../domain/billing/pricing';
import { needsOf, type Need } from '../../../domain/hosts/sizeWait';
import { fits, type Size } from '../../../domain/hosts/scheduler';
import { refusingBudget } from '../../billing/budgets';
import { overdueDebt } from '../../billing/debts';
import { fundsOf } from '../../billing/funds';
import { newCvmRate } from '../../billing/orders/cover';
import { listActiveInstanceTypes } from '../../catalog/catalog';
import type { InstanceTypeRow } from '../../catalog/instanceTypesTable';
import type { Db } from '../../core/client';
import { heldForTeam } from './heldRoom';
import { teamQuota } from '../reservations';

interface Asking {
  team_id: number;
  need: Need<InstanceTypeRow>;
  billingEnforced: boolean;
}

/**
 * Returns why a team isn't offered room, which would be held for it: it couldn't deploy there now. Null if it could.
 */
export async function offerRefusal(
  db: Db,
  { team_id, need, billingEnforced }: Asking,
): Promise<'quota' | 'funds' | null> {
  const quota = await teamQuota(db, team_id);
  const held = await heldForTeam(db, team_id);
  const sum = (field: keyof Size) => held.reduce((total, room) => total + room[field], 0);
  const left = {
    slots: quota.max_cvms - quota.cvms - held.length,
    vcpu: quota.max_vcpu - quota.vcpu - sum('vcpu'),
    memory_mb: quota.max_memory_mb - quota.memory_mb - sum('memory_mb'),
    disk_gb: quota.max_disk_gb - quota.disk_gb - sum('disk_gb'),
  };
  if (!fits(left, need.size)) return 'quota';
  return (await canPay(db, { team_id, need, billingEnforced }, held)) ? null : 'funds';
}

/** As a deployment is judged by its budget, debts and funds, which must also suffice for what is held for the team. */
async function canPay(
  db: Db,
  { team_id, need, billingEnforced }: Asking,
  held: readonly (Size & { gpus: number })[],
): Promise<boolean> {
  const rateOf = ({ size, type }: Asking['need']) =>
    newCvmRate(db, team_id, type?.id ?? null, ratesOf(size, type));
  const hourly = await rateOf(need);
  const now = new Date();
  const budgets = { app_id: null, actions: ['refuse', 'stop'], now } as const;
  if (hourly > 0 && (await refusingBudget(db, team_id, budgets))) return false;
  if (!billingEnforced) return true;
  if (await overdueDebt(db, team_id, now)) return false;
  if (hourly <= 0) return true;
  const types = held.length > 0 ? await listActiveInstanceTypes(db) : [];
  let required = hourly;
  for (const room of held) for (const other of needsOf(room, types)) required += await rateOf(other);
  return availableFunds(await fundsOf(db, team_id)) >= required;
}
