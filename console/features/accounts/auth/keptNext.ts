import { safeNext } from '../../../lib/paths';
import { readStored, writeStored } from '../../../ui/stored';

/** The page requested before registration, for the tab that the emailed link opens. */

const KEY = 'registered-for';
/** The link's lifetime. */
const KEPT_MS = 24 * 3_600_000;

export const keepNext = (next: string | undefined, now = Date.now()): void =>
  writeStored(KEY, next === undefined ? '' : `${now} ${next}`);

export function keptNext(now = Date.now()): string | undefined {
  const [, at, next] = /^(\d+) (.+)$/.exec(readStored(KEY, '')) ?? [];
  return Number(at) > now - KEPT_MS ? safeNext(next) : undefined;
}
