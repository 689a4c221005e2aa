/** What the browser's clock is set to. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zones to choose from; the one in use is among them, whatever this browser knows of it. */
export function zoneChoices(current: string): { value: string; label: string }[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', current, ownZone(), ...known])]
    .filter((zone) => zone !== '')
    .sort()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
