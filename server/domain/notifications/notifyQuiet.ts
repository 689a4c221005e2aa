/** Every night, in the user's time zone. `HH:MM`; past midnight when `to` is not after `from`. */
export interface QuietHours {
  from: string;
  to: string;
}

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** A day with the hour repeated in autumn. */
const MAX_MINUTES = 25 * 60;

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError when there is no such zone */
function formatOf(time_zone: string): Intl.DateTimeFormat {
  let found = formats.get(time_zone);
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', {
      timeZone: time_zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(time_zone, found);
  }
  return found;
}

export function isTimeZone(time_zone: string): boolean {
  try {
    formatOf(time_zone);
    return true;
  } catch {
    return false;
  }
}

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** Minutes since midnight on a clock of the zone. */
const localMinutes = (at: number, format: Intl.DateTimeFormat): number => minutesOf(format.format(at));

const isQuiet = (minutes: number, from: number, to: number): boolean =>
  from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to;

/**
 * Returns when the quiet hours containing `at` end, or null outside them. Decided by local time: a night is
 * an hour shorter or longer when the clocks change, and an end skipped that night becomes the moment after
 * it.
 */
export function quietUntil(at: Date, time_zone: string | null, { from, to }: QuietHours): Date | null {
  const format = formatOf(time_zone ?? 'UTC');
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const quietAt = (time: number) => begin !== end && isQuiet(localMinutes(time, format), begin, end);
  const now = at.getTime();
  if (!quietAt(now)) return null;
  const minute = Math.floor(now / MINUTE) * MINUTE;
  // Estimate as if no clock changed, then advance by minutes to the first that is not quiet.
  const left = (end - localMinutes(now, format) + DAY_MINUTES) % DAY_MINUTES;
  let time = minute + left * MINUTE;
  for (let i = 0; i < MAX_MINUTES && time - MINUTE > now && !quietAt(time - MINUTE); i++) time -= MINUTE;
  for (let i = 0; i < MAX_MINUTES && quietAt(time); i++) time += MINUTE;
  return new Date(time);
}
