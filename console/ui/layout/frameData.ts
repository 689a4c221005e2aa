import type { ReactNode } from 'react';

/** What the frame shows is data: the app decides, from its router, what is current. */
export interface NavItem {
  label: string;
  href: string;
  icon?: ReactNode;
  current?: boolean;
  /** `href` of the entry it belongs to; in Nav only, which shows it while that part of the menu is open. */
  parent?: string;
  /** A small word or number on the right. */
  badge?: ReactNode;
  /** Why it cannot be opened now; in Tabs only. Shown, not hidden. */
  disabledReason?: string;
}

export interface NavSection {
  label?: string;
  items: readonly NavItem[];
}

export interface Crumb {
  label: string;
  /** The last crumb is the page itself and needs none. */
  href?: string;
}
