/** Times as a person says them. All inputs are RFC 3339 strings, Dates or milliseconds since 1970. */

export type Instant = string | number | Date;

const steps: { below: number; unit: Intl.RelativeTimeFormatUnit; ms: number }[] = [
  { below: 60e3, unit: 'second', ms: 1e3 },
  { below: 3600e3, unit: 'minute', ms: 60e3 },
  { below: 86400e3, unit: 'hour', ms: 3600e3 },
  { below: 30 * 86400e3, unit: 'day', ms: 86400e3 },
  { below: 365 * 86400e3, unit: 'month', ms: 30 * 86400e3 },
  { below: Infinity, unit: 'year', ms: 365 * 86400e3 },
];

const short = new Intl.RelativeTimeFormat('en', { style: 'short', numeric: 'always' });

export const toMs = (at: Instant): number => (typeof at === 'number' ? at : new Date(at).getTime());

/** "just now", "42 sec. ago" → "42 s ago", "3 min ago", "in 2 h", "5 d ago". */
export function relative(at: Instant, now: number): string {
  const distance = toMs(at) - now;
  if (Number.isNaN(distance)) return '—';
  const size = Math.abs(distance);
  if (size < 5e3) return 'just now';
  const step = steps.find((candidate) => size < candidate.below)!;
  return short
    .format(Math.trunc(distance / step.ms), step.unit)
    .replace(/sec\./, 's')
    .replace(/min\./, 'min')
    .replace(/hr\./, 'h')
    .replace(/days?/, 'd')
    .replace(/mo\./, 'mo')
    .replace(/yr\./, 'y');
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** "21 Nov 2026, 09:30" in the person's zone, for dates one plans with. */
export function minuteTime(at: Instant): string {
  const date = new Date(toMs(at));
  return Number.isNaN(date.getTime()) ? 'unknown time' : minute.format(date);
}

/** The exact time in the person's zone, and in UTC for comparing with logs. */
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
