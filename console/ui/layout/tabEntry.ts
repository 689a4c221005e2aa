import type { MenuAction } from '../controls/MenuButton';
import type { NavItem } from './frameData';

/** A tab as an entry of a menu. */
export const tabEntry = ({ href, label, disabledReason }: NavItem): MenuAction => ({
  id: href,
  label,
  href,
  ...(disabledReason === undefined ? {} : { disabledReason }),
});
