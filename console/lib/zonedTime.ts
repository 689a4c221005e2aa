// Wall clocks and instants: what people type in forms, and what requests carry.

/** "2026-11-22T18:00", as `<input type="datetime-local">` has it. */
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

/** What a clock in the zone shows. @throws RangeError for a zone that nobody knows */
export function wallOf(at: Date, zone: string): WallTime {
  const part: Record<string, string> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) part[type] = value;
  return `${part.year?.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/**
 * When a clock in the zone shows this; null for what it never shows (no such date, or an hour that is skipped when
 * summer time begins). Of an hour that comes twice, the first.
 */
export function instantOf(wall: WallTime, zone: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wall)) return null;
  const asUtc = Date.parse(`${wall}:00Z`);
  if (Number.isNaN(asUtc)) return null;
  const day = 86_400_000;
  const offset = (at: number) => Date.parse(`${wallOf(new Date(at), zone)}:00Z`) - at;
  const fits = [offset(asUtc - day), offset(asUtc + day)]
    .map((ahead) => asUtc - ahead)
    .filter((at) => wallOf(new Date(at), zone) === wall);
  return fits.length === 0 ? null : new Date(Math.min(...fits));
}

/** Of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every zone the browser knows, the person's own and UTC first. */
export function zones(): string[] {
  return [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
