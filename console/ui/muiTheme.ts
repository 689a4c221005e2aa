import { createTheme, type Theme } from '@mui/material/styles';
import { breakpoints, font, motionMs, schemeAttribute, schemes, type, type Tokens } from './theme';
import { componentDefaults } from './themeComponents';

/** MUI's own palette, from the same tokens, so that react-admin and any MUI component match. */
const palette = (t: Tokens) => ({
  primary: { main: t.accent, dark: t.accentHover, light: t.accent, contrastText: t.onAccent },
  secondary: { main: t.muted, dark: t.text, light: t.faint, contrastText: t.surface },
  error: { main: t.errorText, contrastText: t.surface },
  warning: { main: t.attentionText, contrastText: t.surface },
  info: { main: t.progressText, contrastText: t.surface },
  success: { main: t.okText, contrastText: t.surface },
  text: { primary: t.text, secondary: t.muted, disabled: t.faint },
  background: { default: t.surface, paper: t.surface },
  divider: t.line,
});

export const theme: Theme = createTheme({
  cssVariables: { colorSchemeSelector: schemeAttribute, cssVarPrefix: 'th-mui' },
  colorSchemes: { light: { palette: palette(schemes.light) }, dark: { palette: palette(schemes.dark) } },
  spacing: 4,
  shape: { borderRadius: 6 },
  breakpoints: { values: { xs: 0, sm: 600, md: breakpoints.phone, lg: 1200, xl: 1600 } },
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
  typography: {
    fontFamily: font.sans,
    fontSize: 14,
    htmlFontSize: 16,
    h1: type.title,
    h2: type.heading,
    h3: { ...type.body, fontWeight: 600 },
    h4: type.title,
    h5: type.title,
    h6: type.heading,
    body1: type.body,
    body2: type.small,
    caption: type.caption,
    button: { ...type.body, fontWeight: 550, textTransform: 'none', letterSpacing: 0 },
  },
  components: componentDefaults(),
});
