export type SettingKind = 'string' | 'number' | 'boolean';

/** Returns the value of a setting of this kind, as typed: text while it is none of the kind yet. */
export function settingOf(typed: string, kind: SettingKind): string | number | boolean {
  if (kind === 'boolean' && (typed === 'true' || typed === 'false')) return typed === 'true';
  const number = Number(typed);
  return kind === 'number' && typed.trim() !== '' && Number.isFinite(number) ? number : typed;
}

/** Returns what a setting's field shows: the text as typed, "0." and not "0", unless the value has changed elsewhere. */
export const shownSetting = (
  typed: string | null,
  value: string | number | boolean,
  kind: SettingKind,
): string => (typed !== null && settingOf(typed, kind) === value ? typed : String(value));
