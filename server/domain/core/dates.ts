/* Dates in sentences that users in any time zone read: mail, notices and events. */

/** `21 November 2026`, of the day in UTC. */
export const utcDay = (at: Date): string =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `21 November 2026, 08:30 UTC` */
export const utcMinute = (at: Date): string => `${utcDay(at)}, ${at.toISOString().slice(11, 16)} UTC`;
