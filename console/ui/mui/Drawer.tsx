import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer';
import { MuiTheme } from './MuiTheme';

/** MUI's drawer with our theme. */
export function Drawer(props: DrawerProps) {
  return (
    <MuiTheme>
      <MuiDrawer {...props} />
    </MuiTheme>
  );
}
