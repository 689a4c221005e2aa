import type { MenuAction } from '../controls/MenuButton';
import type { NavItem } from './frameData';

/** Returns a tab as a menu entry. */
export const tabEntry = ({ href, label, disabledReason }: NavItem): MenuAction => ({
  id: href,
  label,
  href,
  ...(disabledReason === undefined ? {} : { disabledReason }),
});
