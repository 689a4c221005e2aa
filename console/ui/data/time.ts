/** Human-readable times. All inputs are RFC 3339 strings, Dates or milliseconds since 1970. */

export type Instant = string | number | Date;

/** `most` is the number of units from which the next larger unit is used. */
const steps: { unit: Intl.RelativeTimeFormatUnit; ms: number; most: number }[] = [
  { unit: 'second', ms: 1e3, most: 60 },
  { unit: 'minute', ms: 60e3, most: 60 },
  { unit: 'hour', ms: 3600e3, most: 24 },
  { unit: 'day', ms: 86400e3, most: 31 },
  { unit: 'month', ms: (365 / 12) * 86400e3, most: 12 },
  { unit: 'year', ms: 365 * 86400e3, most: Infinity },
];

const short = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'always' });
const long = new Intl.RelativeTimeFormat('en', { style: 'long', numeric: 'always' });

export const toMs = (at: Instant): number => (typeof at === 'number' ? at : new Date(at).getTime());

/**
 * "just now", "42 s ago", "3 min ago", "in 2 h", "5 d ago". Past times are rounded down, so that nothing looks
 * older than it is; future times to the nearest unit, so that a 7-day invitation sent just now ends "in 7 d".
 */
export const relative = (at: Instant, now: number): string =>
  formatted(at, now, (value, unit) =>
    short
      .format(value, unit)
      .replace(/sec\./, 's')
      .replace(/min\./, 'min')
      .replace(/hr\./, 'h')
      .replace(/days?/, 'd')
      .replace(/mo\./, 'mo')
      .replace(/yr\./, 'y'),
  );

/** The same in whole words, for sentences: "3 minutes ago", "in 7 days". */
export const relativeInWords = (at: Instant, now: number): string =>
  formatted(at, now, (value, unit) => long.format(value, unit));

function formatted(
  at: Instant,
  now: number,
  format: (value: number, unit: Intl.RelativeTimeFormatUnit) => string,
): string {
  const distance = toMs(at) - now;
  if (Number.isNaN(distance)) return '—';
  const size = Math.abs(distance);
  if (size < 5e3) return 'just now';
  const units = ({ ms }: (typeof steps)[number]) =>
    distance > 0 ? Math.round(size / ms) : Math.trunc(size / ms);
  const step = steps.find((one) => units(one) < one.most)!;
  return format(Math.sign(distance) * Math.max(1, units(step)), step.unit);
}

const exact = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

const minute = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});

/** "Nov 21, 2026, 09:30" in the user's time zone, for planned dates. */
export function minuteTime(at: Instant): string {
  const date = new Date(toMs(at));
  return Number.isNaN(date.getTime()) ? 'unknown time' : minute.format(date);
}

/** Returns the exact time in the user's time zone, and in UTC for comparing with logs. */
export function exactTime(at: Instant): string {
  const date = new Date(toMs(at));
  if (Number.isNaN(date.getTime())) return 'unknown time';
  return `${exact.format(date)} (${date.toISOString().replace(/\.\d{3}Z$/, 'Z')})`;
}

/** "840 ms", "42 s", "3 min 20 s", "2 h 5 min", "3 d 4 h". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '—';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const s = Math.floor(ms / 1000);
  if (s < 60) return `${s} s`;
  const parts: [number, string][] =
    s < 3600
      ? [
          [Math.floor(s / 60), 'min'],
          [s % 60, 's'],
        ]
      : s < 86400
        ? [
            [Math.floor(s / 3600), 'h'],
            [Math.floor((s % 3600) / 60), 'min'],
          ]
        : [
            [Math.floor(s / 86400), 'd'],
            [Math.floor((s % 86400) / 3600), 'h'],
          ];
  return parts
    .filter(([n], i) => i === 0 || n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}
