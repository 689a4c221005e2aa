import { createTheme, type Theme } from '@mui/material/styles';
import { color, focusRingInset, font, motionMs, radius, schemes, shadow, size, type } from '../theme';

/**
 * Theme of the few MUI components. MUI's palette can't hold CSS variables, so every visible color is set below from
 * the tokens, which follow the color scheme.
 */
export const theme: Theme = createTheme({
  palette: { primary: { main: schemes.light.accent } },
  spacing: 4,
  transitions: {
    duration: {
      shortest: motionMs.exit,
      shorter: motionMs.exit,
      short: motionMs.enter,
      standard: motionMs.enter,
      complex: motionMs.enter,
      enteringScreen: motionMs.enter,
      leavingScreen: motionMs.exit,
    },
  },
  typography: { fontFamily: font.sans, body1: type.body },
  components: {
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiPaper: {
      styleOverrides: {
        root: {
          backgroundColor: color.raised,
          backgroundImage: 'none',
          color: color.text,
          boxShadow: shadow.raised,
        },
      },
    },
    MuiBackdrop: {
      styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: color.scrim } } },
    },
    MuiDialog: {
      styleOverrides: {
        paper: {
          margin: 16,
          width: 'calc(100% - 32px)',
          borderRadius: radius.dialog,
          boxShadow: shadow.raised,
        },
      },
    },
    MuiDrawer: {
      styleOverrides: {
        paper: { backgroundColor: color.surface, boxShadow: shadow.raised, maxWidth: '88vw' },
      },
    },
    MuiPopover: {
      styleOverrides: { paper: { marginTop: 4, borderRadius: radius.panel, boxShadow: shadow.raised } },
    },
    MuiMenu: { styleOverrides: { list: { padding: 4, minWidth: 184, outline: 0 } } },
    MuiMenuItem: {
      styleOverrides: {
        root: {
          ...type.body,
          minHeight: size.control,
          padding: '4px 8px',
          borderRadius: radius.small,
          gap: 8,
          '&:hover, &.Mui-focusVisible': { backgroundColor: color.hover },
          '&.Mui-focusVisible': focusRingInset,
          '&.Mui-disabled': { opacity: 1, color: color.faint },
        },
      },
    },
    MuiDivider: { styleOverrides: { root: { borderColor: color.line } } },
  },
});
