import MuiMenu, { type MenuProps } from '@mui/material/Menu';
import { MuiTheme } from './MuiTheme';

/** MUI's menu with our theme. */
export function Menu(props: MenuProps) {
  return (
    <MuiTheme>
      <MuiMenu {...props} />
    </MuiTheme>
  );
}
