import type { AccountSection } from '../../../lib/paths';

export type Section = AccountSection | 'profile';

export const SECTIONS: Record<Section, string> = {
  profile: 'Profile',
  security: 'Security',
  sso: 'Single sign-on',
  sessions: 'Sessions',
  'ssh-keys': 'SSH keys',
  wallets: 'Wallets',
  notifications: 'Notifications',
  data: 'Your data',
};

export interface AccountSearch {
  section?: AccountSection;
}

export function accountSearch({ section }: Record<string, unknown>): AccountSearch {
  return typeof section === 'string' && section !== 'profile' && Object.hasOwn(SECTIONS, section)
    ? { section: section as AccountSection }
    : {};
}
