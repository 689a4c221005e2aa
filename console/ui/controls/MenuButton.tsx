import EllipsisIcon from 'lucide-react/icons/ellipsis';
import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { lazyWithRetry } from '../lazyWithRetry';
import { OnceOpened } from '../OnceOpened';
import { IconAction } from './IconAction';

// Loads MUI's menu, modal and transitions only when a menu opens.
const EntriesMenu = lazyWithRetry(() =>
  import('../mui/EntriesMenu').then((m) => ({ default: m.EntriesMenu })),
);

export interface MenuAction {
  id: string;
  label: string;
  icon?: ReactNode;
  /** A second line, or a word on the right. */
  detail?: string;
  href?: string;
  onSelect?: () => void;
  danger?: boolean;
  /** Why it is unavailable; shown under the label instead of hiding the action. */
  disabledReason?: string;
  /** Whether it is checked, as one of several options (`radio`) or an independent switch (`checkbox`). */
  checked?: boolean;
  role?: 'menuitemradio' | 'menuitemcheckbox';
}

/** A heading, or a separator between groups. */
export type MenuEntry = MenuAction | { id: string; heading: string } | { id: string; rule: true };

interface MenuTrigger {
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onClick: (event: React.MouseEvent<HTMLElement>) => void;
}

interface Props {
  entries: MenuEntry[];
  trigger: (props: MenuTrigger) => ReactElement;
  align?: 'left' | 'right';
  /** Keeps the menu open when several boxes are checked in a row. */
  stayOpen?: boolean;
}

/** A menu described as data, with any button as trigger. */
export function MenuButton({ entries, trigger, align = 'right', stayOpen = false }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const close = () => setAnchor(null);
  return (
    <>
      {trigger({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': anchor !== null,
        onClick: (event) => setAnchor(event.currentTarget),
      })}
      <OnceOpened open={anchor !== null}>
        <EntriesMenu
          entries={entries}
          anchor={anchor}
          align={align}
          labelledBy={id}
          onSelect={stayOpen ? () => undefined : close}
          onClose={close}
        />
      </OnceOpened>
    </>
  );
}

/** The "…" menu at the end of a row or page header. */
export function OverflowMenu({
  entries,
  label,
  small = false,
}: {
  entries: MenuEntry[];
  label: string;
  small?: boolean;
}) {
  if (entries.length === 0) return null;
  return (
    <MenuButton
      entries={entries}
      trigger={(props) => (
        <IconAction label={label} size={small ? 'small' : 'medium'} {...props}>
          <EllipsisIcon />
        </IconAction>
      )}
    />
  );
}
