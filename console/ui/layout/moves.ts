import { ownValue } from '../../lib/ownValue';
import type { NavSection } from './frameData';

/** A page that "g" and a letter open. */
export interface Move {
  key: string;
  label: string;
  href: string;
}

/** The letter of each menu entry, in the console and the admin area. Lists use e, j, k and x themselves. */
const LETTERS: Readonly<Record<string, string>> = {
  Apps: 'a',
  Deploy: 'd',
  Launch: 'l',
  Members: 'm',
  'API tokens': 't',
  Webhooks: 'w',
  'Audit log': 'h',
  'Team settings': 's',
  Overview: 'o',
  CVMs: 'c',
  Users: 'u',
  Workspaces: 'w',
  Nodes: 'n',
  Teepods: 't',
  Drains: 'd',
  'Queue jobs': 'q',
  Alerts: 'l',
  Audit: 'h',
  Profile: 'p',
  Security: 's',
  Sessions: 'n',
  'SSH keys': 'h',
};

/** Returns the moves to the pages of this menu. */
export const movesOf = (sections: readonly NavSection[]): Move[] =>
  sections.flatMap(({ items }) =>
    items.flatMap(({ label, href }) => {
      const key = ownValue(LETTERS, label);
      return key === undefined ? [] : [{ key, label, href }];
    }),
  );
