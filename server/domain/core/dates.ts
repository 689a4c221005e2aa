/* Dates in sentences for users in any time zone: mail, notices and events. */

/** `November 21, 2026`, the day in UTC. */
export const utcDay = (at: Date): string =>
  at.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `Nov 21, 2026`, the day in UTC, in the billing pages' format. For tables and documents. */
export const shortUtcDay = (at: Date): string =>
  at.toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const clock = (at: Date): string => at.toISOString().slice(11, 16);

/** `November 21, 2026, 08:30 UTC` */
export const utcMinute = (at: Date): string => `${utcDay(at)}, ${clock(at)} UTC`;

/** `November 21, 2026, 08:00 to 09:00 UTC`, for an hour or less. */
export const utcSpan = (from: Date, to: Date): string =>
  `${utcDay(from)}, ${clock(from)} to ${clock(to)} UTC`;

/** `November 2026`, the month in UTC. */
export const utcMonth = (at: Date): string =>
  at.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
