import { useQuery } from '@tanstack/react-query';
import type { AdminTeamFunds } from '../../../generated/api/types.gen';
import { exactUsd, formatMicros, parseMicros } from '../../../console/lib/billing/money';
import { fetchJson } from '../../http';

/**
 * Returns a team's funds, and how much of the approval limit the user has used for it. Without an ID, sends no
 * request.
 */
export const useTeamFunds = (teamId: unknown) =>
  useQuery({
    queryKey: ['team-funds', String(teamId)],
    queryFn: async ({ signal }) =>
      (await fetchJson(`/api/v1/admin/workspaces/${String(teamId)}/funds`, { signal }))
        .json as AdminTeamFunds,
    retry: false,
    // Actions from a moment ago count.
    staleTime: 0,
    enabled: typeof teamId === 'number',
  });

const usd = (micros: number) => exactUsd(formatMicros(micros));

/**
 * Explains the approval limit for an amount about to be sent; null without a limit.
 * @param amount as typed; absent if only the server knows what the action moves
 */
export function approvalText(
  { approval_limit, moved }: Pick<AdminTeamFunds, 'approval_limit' | 'moved'>,
  amount: string | undefined,
): { waits: boolean; text: string } | null {
  const limit = approval_limit === null ? null : parseMicros(approval_limit);
  if (limit === null) return null;
  const before = parseMicros(moved) ?? 0;
  const left = Math.max(0, limit - before);
  const size = Math.abs(parseMicros(amount ?? '') ?? 0);
  const rule = `One administrator can move ${usd(limit)} per team within 24 hours.`;
  const soFar = before > 0 ? ` You have moved ${usd(before)}.` : '';
  if (size > left)
    return {
      waits: true,
      text: `${rule}${soFar} Another administrator must approve this, and nothing changes until then.`,
    };
  const more = left === 0 ? 'Any further amount' : `More than ${usd(left)}`;
  return { waits: false, text: `${rule}${soFar} ${more} needs another administrator’s approval.` };
}

/** Returns prepaid funds before and after an adjustment; null until the amount is valid. */
export function balanceChange(
  { prepaid, credits }: Pick<AdminTeamFunds, 'prepaid' | 'credits'>,
  amount: string | undefined,
): { text: string; warning: string | null } | null {
  const [before, granted] = [parseMicros(prepaid) ?? 0, parseMicros(credits) ?? 0];
  const change = parseMicros(amount ?? '');
  if (change === null || change === 0) return null;
  const after = before + change;
  return {
    text: `Prepaid funds: ${usd(before)} now, ${usd(after)} after. Credits are unchanged at ${usd(granted)}.`,
    warning:
      after >= 0 || change > 0
        ? null
        : after + granted < 0
          ? `The balance falls to ${usd(after + granted)}, credits included. This puts the team in debt unless its post-paid cap covers it.`
          : `Prepaid funds are overdrawn by ${usd(-after)}. Credits offset that: the team isn’t in debt, and has ${usd(after + granted)} left to spend.`,
  };
}
