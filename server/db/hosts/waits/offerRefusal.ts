import { availableFunds } from '../../../domain/billing/funds';
import { ratesOf } from '../../../domain/billing/pricing';
import type { Need } from '../../../domain/hosts/sizeWait';
import { fits } from '../../../domain/hosts/scheduler';
import { refusingBudget } from '../../billing/budgets';
import { overdueDebt } from '../../billing/debts';
import { fundsOf } from '../../billing/funds';
import { newCvmRate } from '../../billing/orders/cover';
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
  const left = {
    slots: quota.max_cvms - quota.cvms - held.slots,
    vcpu: quota.max_vcpu - quota.vcpu - held.vcpu,
    memory_mb: quota.max_memory_mb - quota.memory_mb - held.memory_mb,
    disk_gb: quota.max_disk_gb - quota.disk_gb - held.disk_gb,
  };
  if (!fits(left, need.size)) return 'quota';
  return (await canPay(db, { team_id, need, billingEnforced })) ? null : 'funds';
}

/** As a deployment is judged by its budget, debts and funds. */
async function canPay(db: Db, { team_id, need, billingEnforced }: Asking): Promise<boolean> {
  const rates = ratesOf(need.size, need.type);
  const hourly = await newCvmRate(db, team_id, need.type?.id ?? null, rates);
  const now = new Date();
  const budgets = { app_id: null, actions: ['refuse', 'stop'], now } as const;
  if (hourly > 0 && (await refusingBudget(db, team_id, budgets))) return false;
  if (!billingEnforced) return true;
  if (await overdueDebt(db, team_id, now)) return false;
  return hourly <= 0 || availableFunds(await fundsOf(db, team_id)) >= hourly;
}
