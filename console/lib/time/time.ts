const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

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
