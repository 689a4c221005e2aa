import type { Components, Theme } from '@mui/material/styles';
import { color, focusRing, focusRingInset, font, motion, radius, shadow, size, type } from './theme';

/** How MUI's own components look, from the tokens alone. */
export function componentDefaults(): Components<Theme> {
  const edge = `1px solid ${color.line}`;
  return {
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: { root: { '&.Mui-focusVisible': focusRing } },
    },
    MuiButton: {
      defaultProps: { variant: 'outlined', color: 'secondary', disableElevation: true },
      styleOverrides: {
        root: {
          ...type.body,
          fontWeight: 550,
          minWidth: 0,
          height: `var(--control-height, ${size.control})`,
          padding: '0 12px',
          borderRadius: radius.control,
          whiteSpace: 'nowrap',
          transition: `background-color ${motion.fast}, border-color ${motion.fast}, color ${motion.fast}`,
          '& .MuiButton-startIcon, & .MuiButton-endIcon': { '& > *:nth-of-type(1)': { fontSize: '16px' } },
          '& .MuiButton-startIcon': { marginLeft: '-3px', marginRight: '6px' },
          '& .MuiButton-endIcon': { marginLeft: '4px', marginRight: '-4px' },
          '&.Mui-disabled': { color: color.faint, borderColor: color.line },
          // Shut or at work, yet in reach of the keyboard.
          '&[aria-disabled="true"]': { opacity: 0.5, cursor: 'not-allowed' },
        },
        outlined: {
          borderColor: color.control,
          color: color.text,
          backgroundColor: color.surface,
          '&:hover': { borderColor: color.muted, backgroundColor: color.hover },
        },
        text: { color: color.text, '&:hover': { backgroundColor: color.hover } },
        contained: { '&.Mui-disabled': { backgroundColor: color.neutralSoft, color: color.faint } },
        sizeSmall: { ...type.small, height: size.controlSmall, padding: '0 8px' },
        sizeLarge: { ...type.lead, height: size.controlLarge, padding: '0 18px' },
      },
      variants: [
        {
          props: { variant: 'contained', color: 'secondary' },
          style: {
            backgroundColor: color.accent,
            color: color.onAccent,
            '&:hover': { backgroundColor: color.accentHover },
          },
        },
        {
          props: { variant: 'contained', color: 'primary' },
          style: {
            backgroundColor: color.accent,
            color: color.onAccent,
            '&:hover': { backgroundColor: color.accentHover },
          },
        },
        {
          props: { variant: 'contained', color: 'error' },
          style: {
            backgroundColor: color.errorText,
            color: color.surface,
            '&:hover': { backgroundColor: color.errorText, filter: 'brightness(0.94)' },
          },
        },
        {
          props: { variant: 'outlined', color: 'error' },
          style: {
            color: color.errorText,
            '&:hover': { borderColor: color.errorText, backgroundColor: color.errorSoft },
          },
        },
        { props: { variant: 'text', color: 'primary' }, style: { color: color.accentText } },
        {
          props: { variant: 'text', color: 'error' },
          style: { color: color.errorText, '&:hover': { backgroundColor: color.errorSoft } },
        },
      ],
    },
    MuiIconButton: {
      styleOverrides: {
        root: {
          width: size.control,
          height: size.control,
          padding: 0,
          borderRadius: radius.control,
          color: color.muted,
          fontSize: '18px',
          '&:hover': { backgroundColor: color.hover, color: color.text },
          '& .MuiSvgIcon-root': { fontSize: 'inherit' },
        },
        sizeSmall: { width: '24px', height: '24px', fontSize: '15px', borderRadius: radius.small },
      },
    },
    MuiSvgIcon: { defaultProps: { fontSize: 'inherit' } },
    MuiPaper: {
      styleOverrides: {
        root: { backgroundImage: 'none', color: color.text },
        outlined: { border: edge, borderRadius: radius.panel },
      },
    },
    MuiCard: { defaultProps: { variant: 'outlined' } },
    MuiBackdrop: {
      styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: color.scrim } } },
    },
    MuiDialog: {
      styleOverrides: {
        paper: {
          margin: 16,
          width: 'calc(100% - 32px)',
          backgroundColor: color.raised,
          backgroundImage: 'none',
          borderRadius: radius.dialog,
          boxShadow: shadow.raised,
        },
      },
    },
    MuiDrawer: {
      styleOverrides: {
        paper: {
          backgroundColor: color.surface,
          backgroundImage: 'none',
          boxShadow: shadow.raised,
          maxWidth: '88vw',
        },
      },
    },
    MuiPopover: {
      styleOverrides: {
        paper: {
          marginTop: 4,
          backgroundColor: color.raised,
          backgroundImage: 'none',
          borderRadius: radius.panel,
          boxShadow: shadow.raised,
        },
      },
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
          '&.Mui-selected, &.Mui-selected:hover': { backgroundColor: color.selected },
          '&.Mui-disabled': { opacity: 1, color: color.faint },
        },
      },
    },
    MuiTooltip: {
      styleOverrides: {
        tooltip: {
          ...type.caption,
          backgroundColor: color.text,
          color: color.surface,
          borderRadius: radius.small,
          padding: '4px 8px',
          fontWeight: 500,
        },
      },
    },
    MuiSkeleton: {
      defaultProps: { animation: 'pulse' },
      styleOverrides: {
        root: { backgroundColor: color.neutralSoft, borderRadius: radius.small, transform: 'none' },
      },
    },
    // The form controls below are what react-admin uses; the console's own are in ui/forms.
    MuiOutlinedInput: {
      styleOverrides: {
        root: {
          ...type.body,
          borderRadius: radius.control,
          backgroundColor: color.surface,
          '& .MuiOutlinedInput-notchedOutline': { borderColor: color.control },
          '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: color.muted },
          '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderColor: color.focus, borderWidth: 2 },
        },
      },
    },
    MuiInputLabel: {
      styleOverrides: { root: { color: color.muted, '&.Mui-focused': { color: color.accentText } } },
    },
    MuiFormHelperText: { styleOverrides: { root: { ...type.caption, marginLeft: 0 } } },
    MuiTableCell: {
      styleOverrides: {
        root: { ...type.small, padding: '6px 12px', borderBottom: edge, fontVariantNumeric: 'tabular-nums' },
        head: { ...type.caption, fontWeight: 550, color: color.muted, backgroundColor: color.sunken },
      },
    },
    MuiTab: {
      styleOverrides: {
        root: { ...type.body, fontWeight: 550, textTransform: 'none', minHeight: 40, padding: '8px 12px' },
      },
    },
    MuiTabs: { styleOverrides: { root: { minHeight: 40 } } },
    MuiChip: {
      styleOverrides: { root: { ...type.caption, height: 24, fontWeight: 500, borderRadius: radius.small } },
    },
    MuiLink: { defaultProps: { underline: 'hover' }, styleOverrides: { root: { color: color.accentText } } },
    MuiAppBar: {
      defaultProps: { elevation: 0, color: 'default' },
      styleOverrides: {
        root: {
          backgroundColor: color.surface,
          color: color.text,
          borderBottom: edge,
          backgroundImage: 'none',
        },
      },
    },
    MuiCssBaseline: {
      styleOverrides: {
        html: {
          WebkitTextSizeAdjust: '100%',
          scrollbarColor: `${color.control} transparent`,
          scrollPaddingTop: size.topbar,
        },
        body: {
          ...type.body,
          fontFamily: font.sans,
          fontFeatureSettings: "'cv05', 'cv08', 'ss03'",
          color: color.text,
          backgroundColor: color.surface,
          WebkitFontSmoothing: 'antialiased',
          MozOsxFontSmoothing: 'grayscale',
        },
        'h1, h2, h3, h4, p, dl, dd, ol, ul, figure': { margin: 0, padding: 0 },
        'ol, ul': { listStyle: 'none' },
        'button, input, select, textarea': { fontFamily: 'inherit' },
        'code, kbd, pre, samp': { ...type.mono },
        ':focus-visible': focusRing,
        '::selection': { backgroundColor: color.accent, color: color.onAccent },
        '@media (prefers-reduced-motion: reduce)': {
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '0.01ms !important',
            scrollBehavior: 'auto !important',
          },
        },
      },
    },
  };
}
