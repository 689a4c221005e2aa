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
  section: AccountSection | undefined;
}

export function accountSearch({ section }: Record<string, unknown>): AccountSearch {
  const isKnown = typeof section === 'string' && section !== 'profile' && Object.hasOwn(SECTIONS, section);
  return { section: isKnown ? (section as AccountSection) : undefined };
}
