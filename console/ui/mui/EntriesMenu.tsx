import CheckIcon from 'lucide-react/icons/check';
import Divider from '@mui/material/Divider';
import { Menu } from './Menu';
import MenuItem from '@mui/material/MenuItem';
import styled from '@emotion/styled';
import { Link } from '../link';
import { color, space, type } from '../theme';
import type { MenuAction, MenuEntry } from '../controls/MenuButton';

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
  /** Null while closed. */
  anchor: HTMLElement | null;
  align: 'left' | 'right';
  /** ID of the trigger. */
  labelledBy: string;
  onSelect: () => void;
  onClose: () => void;
}

/** The menu of a MenuButton, below its trigger. */
export function EntriesMenu({ entries, anchor, align, labelledBy, onSelect, onClose }: Props) {
  return (
    <Menu
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: align }}
      transformOrigin={{ vertical: 'top', horizontal: align }}
      slotProps={{ list: { 'aria-labelledby': labelledBy } }}
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
        return <Item key={entry.id} action={entry} done={onSelect} />;
      })}
    </Menu>
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
          {choice ? action.checked && <CheckIcon /> : action.icon}
        </Icon>
      )}
      <Lines>
        {action.label}
        {detail !== undefined && <Detail>{detail}</Detail>}
      </Lines>
    </MenuItem>
  );
}
