import { ownValue } from '../../lib/ownValue';
import type { NavSection } from './frameData';

/** A page that can be opened with "g" and a letter. */
export interface Move {
  key: string;
  label: string;
  href: string;
}

/** The letter of each entry in the console's and the account's menus. Lists use e, j, k and x. */
const LETTERS: Readonly<Record<string, string>> = {
  Apps: 'a',
  Deploy: 'd',
  'Confidential AI': 'i',
  'GPU TEE': 'g',
  Members: 'm',
  'API tokens': 't',
  Billing: 'b',
  Cost: 'c',
  Usage: 'u',
  Transactions: 'r',
  Webhooks: 'w',
  'Audit log': 'h',
  'Team settings': 's',
  Profile: 'p',
  Security: 's',
  'Single sign-on': 'i',
  Sessions: 'n',
  'SSH keys': 'h',
  Wallets: 'w',
  Notifications: 'b',
  'Your data': 'd',
};

/**
 * The same for the admin area and the console's link to it. It has more pages than there are letters; the palette
 * finds all of them.
 */
const ADMIN_LETTERS: Readonly<Record<string, string>> = {
  Admin: 'o',
  Overview: 'o',
  'Instance events': 'v',
  Apps: 'a',
  CVMs: 'c',
  Users: 'u',
  Teams: 'w',
  Members: 'm',
  Nodes: 'n',
  Gateways: 'g',
  Teepods: 't',
  KMS: 'y',
  Drains: 'd',
  'OS images': 'i',
  'Billing settings': 'b',
  Transactions: 'r',
  Payments: 'p',
  'Finance actions': 'f',
  Settings: 's',
  'Queue jobs': 'q',
  Alerts: 'l',
  Audit: 'h',
};

/** Returns the moves to this menu's pages. */
export const movesOf = (sections: readonly NavSection[]): Move[] =>
  sections.flatMap(({ items }) =>
    items.flatMap(({ label, href }) => {
      const key = ownValue(href.startsWith('/admin') ? ADMIN_LETTERS : LETTERS, label);
      return key === undefined ? [] : [{ key, label, href }];
    }),
  );
