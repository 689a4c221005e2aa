/** Returns the browser's time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the time zones to choose from, always including the current one. */
export function zoneChoices(current: string): { value: string; label: string }[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', current, ownZone(), ...known])]
    .filter((zone) => zone !== '')
    .sort()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
