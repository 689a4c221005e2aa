import type { AppContractChange } from '../../../../generated/api/types.gen';

export type HistoryRow = AppContractChange & { id: string };

/** Returns the changes with an ID each: one transaction can make the same change several times. */
export function historyRows(history: readonly AppContractChange[]): HistoryRow[] {
  const counts = new Map<string, number>();
  return history.map((change) => {
    const key = `${change.tx_hash} ${change.kind} ${change.value}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { ...change, id: `${key} ${count}` };
  });
}
