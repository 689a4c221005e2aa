import MuiPopover, { type PopoverProps } from '@mui/material/Popover';
import { MuiTheme } from './MuiTheme';

/** MUI's popover in our look. */
export function Popover(props: PopoverProps) {
  return (
    <MuiTheme>
      <MuiPopover {...props} />
    </MuiTheme>
  );
}
