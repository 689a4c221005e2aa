import type { ReactNode } from 'react';

/** The frame's content as data: the app decides what is current, from its router. */
export interface NavItem {
  label: string;
  href: string;
  icon?: ReactNode;
  current?: boolean;
  /** `href` of the parent entry; only in Nav, which shows children while that part of the menu is open. */
  parent?: string;
  /** A short word or number on the right. */
  badge?: ReactNode;
  /** Why it is unavailable; only in Tabs. Shown instead of hiding the entry. */
  disabledReason?: string;
}

export interface NavSection {
  label?: string;
  items: readonly NavItem[];
}

export interface Crumb {
  label: string;
  /** Absent for the last crumb, which is the page itself. */
  href?: string;
}
