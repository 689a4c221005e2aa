import CheckRounded from '@mui/icons-material/CheckRounded';
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { styled } from '@mui/material/styles';
import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { Link } from '../link';
import { color, space, type } from '../theme';
import { IconAction } from './IconAction';

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

export interface MenuTrigger {
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onClick: (event: React.MouseEvent<HTMLElement>) => void;
}

const Heading = styled('li')({
  ...type.caption,
  color: color.faint,
  fontWeight: 550,
  padding: `${space(1.5)} ${space(2)} ${space(1)}`,
});
const Lines = styled('span')({ flex: 1, minWidth: 0, overflowWrap: 'anywhere' });
const Detail = styled('span')({
  ...type.caption,
  display: 'block',
  color: color.faint,
  whiteSpace: 'normal',
  maxWidth: 280,
});
const Icon = styled('span')({ display: 'inline-flex', fontSize: 16, color: color.muted, width: 16 });

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
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: align }}
        transformOrigin={{ vertical: 'top', horizontal: align }}
        slotProps={{ list: { 'aria-labelledby': id } }}
      >
        {entries.map((entry) => {
          if ('rule' in entry) return <Divider key={entry.id} component="li" style={{ margin: '4px 0' }} />;
          if ('heading' in entry) {
            return (
              <Heading key={entry.id} role="presentation">
                {entry.heading}
              </Heading>
            );
          }
          return <Item key={entry.id} action={entry} done={stayOpen ? () => undefined : close} />;
        })}
      </Menu>
    </>
  );
}

/** MUI's Menu moves focus by reading and adding props of its direct children, hence `...rest`. */
function Item({ action, done, ...rest }: { action: MenuAction; done: () => void }) {
  const choice = action.role !== undefined;
  const disabled = action.disabledReason !== undefined;
  const detail = action.disabledReason ?? action.detail;
  return (
    <MenuItem
      {...rest}
      {...(action.href !== undefined && !disabled ? { component: Link, href: action.href } : {})}
      {...(choice ? { role: action.role, 'aria-checked': action.checked === true } : {})}
      disabled={disabled}
      style={action.danger && !disabled ? { color: color.errorText } : undefined}
      onClick={() => {
        done();
        action.onSelect?.();
      }}
    >
      {(choice || action.icon !== undefined) && (
        <Icon aria-hidden style={action.danger && !disabled ? { color: 'inherit' } : undefined}>
          {choice ? action.checked && <CheckRounded /> : action.icon}
        </Icon>
      )}
      <Lines>
        {action.label}
        {detail !== undefined && <Detail>{detail}</Detail>}
      </Lines>
    </MenuItem>
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
          <MoreHorizRounded />
        </IconAction>
      )}
    />
  );
}
