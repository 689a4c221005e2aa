import { safeNext } from '../../../lib/paths';
import { readStored, writeStored } from '../../../ui/stored';

/** The page requested before the user was sent an email, for the tab that its link opens. */

type Mail = 'registration' | 'reset';

const KEYS: Record<Mail, string> = { registration: 'registered-for', reset: 'reset-for' };
/** The links' lifetime. */
const KEPT_MS = 24 * 3_600_000;

export const keepNext = (mail: Mail, next: string | undefined, now = Date.now()): void =>
  writeStored(KEYS[mail], next === undefined ? '' : `${now} ${next}`);

export function keptNext(mail: Mail, now = Date.now()): string | undefined {
  const [, at, next] = /^(\d+) (.+)$/.exec(readStored(KEYS[mail], '')) ?? [];
  return Number(at) > now - KEPT_MS ? safeNext(next) : undefined;
}
