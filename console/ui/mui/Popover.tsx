import MuiPopover, { type PopoverProps } from '@mui/material/Popover';
import { MuiTheme } from './MuiTheme';

/** MUI's popover with our theme. */
export function Popover(props: PopoverProps) {
  return (
    <MuiTheme>
      <MuiPopover {...props} />
    </MuiTheme>
  );
}
