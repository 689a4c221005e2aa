import MuiDialog, { type DialogProps } from '@mui/material/Dialog';
import { MuiTheme } from './MuiTheme';

/** MUI's dialog with our theme. */
export function Dialog(props: DialogProps) {
  return (
    <MuiTheme>
      <MuiDialog {...props} />
    </MuiTheme>
  );
}
