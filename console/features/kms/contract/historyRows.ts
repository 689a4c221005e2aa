import type { AppContractChange } from '../../../../generated/api/types.gen';
import { ownValue } from '../../../lib/ownValue';

export type HistoryRow = AppContractChange & { id: string };

/** Adds a unique ID to each change: one transaction can make the same change several times. */
export function historyRows(history: readonly AppContractChange[]): HistoryRow[] {
  const counts = new Map<string, number>();
  return history.map((change) => {
    const key = `${change.tx_hash} ${change.kind} ${change.value}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { ...change, id: `${key} ${count}` };
  });
}

const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AllowAnyDeviceSet: { true: 'Allowed', false: 'Only those listed' },
  RequireTcbUpToDateSet: { true: 'Yes', false: 'No' },
};

/** Returns a flag's new value in the words of the facts above the history; null if the change isn't to a flag. */
export const flagText = (kind: string, value: string): string | null =>
  ownValue(ownValue(FLAGS, kind) ?? {}, value) ?? null;
