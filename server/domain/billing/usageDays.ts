import { amountWithin, type UsageLine } from './metering';

/** Totals of usage by UTC day. */

export const DAY_MS = 86_400_000;

export interface Window {
  from: Date;
  to: Date;
}

/** A line's part within one UTC day. */
export interface DayPart {
  /** Start of the day. */
  day: Date;
  /** Negative if the line reverses another. */
  seconds: number;
  amount_micros: number;
}

export const dayStart = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);

/** Returns the window extended to whole UTC days, but never beyond now. */
export const wholeDays = ({ from, to }: Window, now: Date): Window => ({
  from: dayStart(from),
  to: new Date(Math.min(Math.ceil(to.getTime() / DAY_MS) * DAY_MS, now.getTime())),
});

/** Returns the starts of the days that a window touches. */
export function daysOf({ from, to }: Window): Date[] {
  const days: Date[] = [];
  for (let at = dayStart(from).getTime(); at < to.getTime(); at += DAY_MS) days.push(new Date(at));
  return days;
}

/** Splits a line at midnight UTC, within a window. The parts add up to the line's cost. */
export function splitByDay(
  line: Pick<UsageLine, 'from' | 'to' | 'rate_micros' | 'carry'>,
  window: Window,
): DayPart[] {
  const from = line.from > window.from ? line.from : window.from;
  const to = line.to < window.to ? line.to : window.to;
  return daysOf({ from, to }).flatMap((day) => {
    const part = {
      from: day > from ? day : from,
      to: new Date(Math.min(day.getTime() + DAY_MS, to.getTime())),
    };
    const seconds = Math.floor(part.to.getTime() / 1000) - Math.floor(part.from.getTime() / 1000);
    if (seconds <= 0) return [];
    return [
      {
        day,
        seconds: line.rate_micros < 0 ? -seconds : seconds,
        amount_micros: amountWithin(line, part),
      },
    ];
  });
}
