// Converts between local times typed in forms and UTC times in requests.

/** "2026-11-22T18:00", the format of `<input type="datetime-local">`. */
export type WallTime = string;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const two = '2-digit' as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
    });
    formats.set(zone, format);
  }
  return format;
}

/** Returns the local time in the zone. @throws RangeError for an unknown zone */
export function wallOf(at: Date, zone: string): WallTime {
  const part: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) part[type] = value;
  return `${part.year?.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/**
 * Returns the instant of a local time; null if it doesn't exist (invalid date, or an hour skipped when daylight
 * saving time starts). For a repeated hour, returns the first.
 */
export function instantOf(wall: WallTime, zone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wall)) return null;
  const asUtc = Date.parse(`${wall}:00Z`);
  if (Number.isNaN(asUtc)) return null;
  const day = 86_400_000;
  const offset = (at: number) => Date.parse(`${wallOf(new Date(at), zone)}:00Z`) - at;
  const fits = [offset(asUtc - day), offset(asUtc + day)]
    .map((ahead) => asUtc - ahead)
    // The day after the last of the year 9999 has no such format.
    .filter((at) => !Number.isNaN(at) && wallOf(new Date(at), zone) === wall);
  return fits.length === 0 ? null : new Date(Math.min(...fits));
}

/** This browser's time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns every zone the browser knows, the user's own and UTC first. */
export function zones(): string[] {
  return [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
