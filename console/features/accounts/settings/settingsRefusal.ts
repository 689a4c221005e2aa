import type { Session } from '../../../../generated/api/types.gen';
import type { Section } from './sections';

/** Sections whose data a restricted session can read, so they are shown read-only. */
export const READABLE: ReadonlySet<Section> = new Set(['profile', 'sso', 'ssh-keys']);

/** Returns why this session can't change account settings, in a sentence; null if it can. */
export function settingsRefusal({
  single_sign_on,
  account_settings_refused,
  features,
}: Pick<Session, 'single_sign_on' | 'account_settings_refused' | 'features'>): string | null {
  if (single_sign_on || account_settings_refused === 'sso')
    return `You signed in with ${single_sign_on?.team_name ?? 'a team'}’s single sign-on, which covers that team but not your account settings.`;
  if (account_settings_refused === 'staff_sso')
    return `You signed in with ${features.staff_sign_on ?? 'the staff’s single sign-on'}, which covers your platform role but not your account settings.`;
  if (account_settings_refused === 'break_glass')
    return 'You signed in with a break-glass link, which covers your platform role but not your account settings.';
  return null;
}
