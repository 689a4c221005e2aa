// Times for display. The server sends RFC 3339 UTC; pages show the relative time, and the exact time on hover.

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

export type TimeInput = string | number | Date;

function toMs(time: TimeInput): number {
  return time instanceof Date ? time.getTime() : new Date(time).getTime();
}

/** Seconds in at most two units: 5 → "5 s", 3900 → "1 h 5 min", 93600 → "1 d 2 h". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  const whole = Math.floor(Math.abs(seconds));
  const sign = seconds <= -1 ? '-' : '';
  const two = (unit: number, name: string, lesser: number, lesserName: string) => {
    const rest = Math.floor((whole % unit) / lesser);
    return `${sign}${Math.floor(whole / unit)} ${name}${rest > 0 ? ` ${rest} ${lesserName}` : ''}`;
  };
  if (whole < MINUTE) return `${sign}${whole} s`;
  if (whole < HOUR) return two(MINUTE, 'min', 1, 's');
  if (whole < DAY) return two(HOUR, 'h', MINUTE, 'min');
  if (whole < 365 * DAY) return two(DAY, 'd', HOUR, 'h');
  return two(365 * DAY, 'y', DAY, 'd');
}

/** "just now", "5 min ago", "in 3 h", and the date after a month; "unknown" for an invalid time. */
export function relativeTime(time: TimeInput, now: TimeInput = Date.now()): string {
  const ms = toMs(time);
  if (Number.isNaN(ms)) return 'unknown';
  const seconds = Math.round((toMs(now) - ms) / 1000);
  const away = Math.abs(seconds);
  if (away < 10) return 'just now';
  if (away >= 30 * DAY) return new Date(ms).toISOString().slice(0, 10);
  let text: string;
  if (away < MINUTE) text = `${away} s`;
  else if (away < HOUR) text = `${Math.floor(away / MINUTE)} min`;
  else if (away < DAY) text = `${Math.floor(away / HOUR)} h`;
  else text = away < 2 * DAY ? '1 day' : `${Math.floor(away / DAY)} days`;
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

/** Milliseconds until `relativeTime` may change; for one shared clock. */
export function relativeTimeStep(time: TimeInput, now: TimeInput = Date.now()): number {
  const away = Math.abs(toMs(now) - toMs(time)) / 1000;
  if (away < MINUTE) return 1000;
  return away < HOUR ? 15_000 : 60_000;
}

/** "2026-01-21 10:00:05 UTC"; "unknown" for an invalid time. */
export function exactTime(time: TimeInput): string {
  const ms = toMs(time);
  if (Number.isNaN(ms)) return 'unknown';
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
