import { formatMicros } from '../../../console/lib/billing/money';
import type { WorkspaceDeletion } from '../../../generated/api/types.gen';
import type { TeamDeletion } from '../../db/teams/teamDeletion';
import { moneyRefusal } from '../../domain/billing/funds';
import { Problem } from '../../domain/core/problem';

/** Maximum CVMs named in a refusal. */
export const CVMS_SHOWN = 20;

/** Returns why the owner can't delete the team now; null if they can. */
export function deletionRefusal(deletion: TeamDeletion, billingEnforced: boolean): Problem | null {
  const { cvm_count, cvms } = deletion;
  if (cvm_count > 0)
    return new Problem('IN_USE', {
      message: `The team still has ${cvm_count} CVM${cvm_count === 1 ? '' : 's'}. Delete ${cvm_count === 1 ? 'it' : 'them'} first.`,
      details: cvms.map(({ name, status, vm_uuid }) => ({
        field: 'cvms',
        message: `${name} (${status})`,
        value: vm_uuid,
      })),
    });
  const message = billingEnforced ? moneyRefusal('The team', deletion) : null;
  return message === null ? null : new Problem('IN_USE', { message });
}

export const deletionOut = (
  { cvm_count, recycled, balance, payments, orders }: TeamDeletion,
  refusal: string | null,
): WorkspaceDeletion => ({
  refusal,
  cvms: cvm_count,
  recycled_cvms: recycled,
  balance: formatMicros(Math.max(0, balance)),
  payments,
  orders,
});
