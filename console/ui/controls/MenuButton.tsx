import EllipsisIcon from 'lucide-react/icons/ellipsis';
import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { lazyWithRetry } from '../lazyWithRetry';
import { OnceOpened } from '../OnceOpened';
import { IconAction } from './IconAction';

// A page doesn't need MUI's menu, modal and transitions until one is opened.
const EntriesMenu = lazyWithRetry(() =>
  import('../mui/EntriesMenu').then((m) => ({ default: m.EntriesMenu })),
);

export interface MenuAction {
  id: string;
  label: string;
  icon?: ReactNode;
  /** A second line or a word on the right. */
  detail?: string;
  href?: string;
  onSelect?: () => void;
  danger?: boolean;
  /** Why it cannot be done now; shown under the label instead of hiding the action. */
  disabledReason?: string;
  /** A tick: the item is one of a choice (`radio`) or a switch of its own (`checkbox`). */
  checked?: boolean;
  role?: 'menuitemradio' | 'menuitemcheckbox';
}

/** A heading, or a rule between groups. */
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
  /** Ticking several boxes in a row should not close the menu each time. */
  stayOpen?: boolean;
}

/** A menu given as data, opened by any button. */
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

/** The "…" at the end of a row or a page header. */
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
