import { ownValue } from '../../../console/lib/ownValue';
import { cutWhole } from '../../../console/lib/texts/cutWhole';

/**
 * The `wg show` output for the tunnel between a CVM and its gateway. The gateway routes visitors to instances
 * by their latest handshake and considers one older than half an hour dead.
 */
export interface Handshake {
  /** As reported by the guest. */
  text: string | null;
  age_seconds: number | null;
  /** `unused`: the guest has no tunnel, as on a local teepod. */
  state: 'fresh' | 'stale' | 'never' | 'unused' | 'unknown';
}

const STALE_SECONDS = 1_800;
/** Enough for "365 days, 23 hours, 59 minutes, 59 seconds ago". The host can write anything. */
const MAX_TEXT = 200;

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  d: 86_400,
  day: 86_400,
  h: 3_600,
  hour: 3_600,
  m: 60,
  min: 60,
  minute: 60,
  s: 1,
  sec: 1,
  second: 1,
};

/** Of several peers (gateway nodes), the most recent handshake counts. An error of `wg` says nothing. */
export function readHandshake(wg_info: string): Handshake {
  if (wg_info.trim() === '') return { text: null, age_seconds: null, state: 'unused' };
  const seen = [...wg_info.matchAll(/latest handshake: *([^\n]+)/g)]
    .map(([, text = '']) => cutWhole(text, MAX_TEXT))
    .map((text) => ({ text: text.trim(), age_seconds: ageOf(text) }))
    .sort((a, b) => (a.age_seconds ?? Infinity) - (b.age_seconds ?? Infinity));
  const best = seen[0];
  if (!best)
    return {
      text: null,
      age_seconds: null,
      state: /^[ \t]*(interface|peer):/m.test(wg_info) ? 'never' : 'unknown',
    };
  return {
    ...best,
    state: best.age_seconds === null || best.age_seconds > STALE_SECONDS ? 'stale' : 'fresh',
  };
}

/** "1 minute, 31 seconds ago", "31s ago", "Now"; null for anything else. */
function ageOf(text: string): number | null {
  if (/^now\b/i.test(text.trim())) return 0;
  let seconds: number | null = null;
  for (const [, count = '0', unit = ''] of text.matchAll(/(?<!\d)(\d{1,9}) ?([a-z]+?)s?\b/gi)) {
    const each = ownValue(UNIT_SECONDS, unit.toLowerCase());
    if (each !== undefined) seconds = (seconds ?? 0) + Number(count) * each;
  }
  return seconds;
}
