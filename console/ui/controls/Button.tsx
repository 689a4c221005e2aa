import styled from '@emotion/styled';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Link, type LinkProps } from '../link';
import { color, focusRing, motion, radius, size, type } from '../theme';

interface Look {
  /** One `contained` button per view carries its main action. */
  variant?: 'contained' | 'outlined' | 'text';
  tone?: 'neutral' | 'accent' | 'danger';
  size?: 'small' | 'medium' | 'large';
  fullWidth?: boolean;
  /** Breaks a long label over lines, as full-width buttons do: for labels with a name. */
  wraps?: boolean;
  startIcon?: ReactNode;
  endIcon?: ReactNode;
}

// The obsolete HTML attribute `color` would be accepted and do nothing; `tone` sets the color.
export type ButtonProps = Look & Omit<ComponentPropsWithRef<'button'>, 'color'>;
type LinkButtonProps = Look & Omit<LinkProps, 'color'>;

const Root = styled('button')({
  ...type.body,
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '6px',
  boxSizing: 'border-box',
  height: `var(--control-height, ${size.control})`,
  margin: 0,
  padding: '0 12px',
  border: '1px solid transparent',
  borderRadius: radius.control,
  backgroundColor: 'transparent',
  color: color.text,
  fontFamily: 'inherit',
  fontWeight: 550,
  textDecoration: 'none',
  verticalAlign: 'middle',
  whiteSpace: 'nowrap',
  userSelect: 'none',
  cursor: 'pointer',
  transition: `background-color ${motion.fast}, border-color ${motion.fast}, color ${motion.fast}`,
  '& > svg': { flex: 'none', fontSize: '16px' },
  '&:focus-visible': focusRing,
  '&[data-size="small"]': { ...type.small, height: size.controlSmall, padding: '0 8px' },
  '&[data-size="large"]': { ...type.lead, height: size.controlLarge, padding: '0 18px' },
  '&[data-full-width="true"]': { width: '100%' },
  '&[data-wraps="true"]': {
    height: 'auto',
    minHeight: `var(--control-height, ${size.control})`,
    paddingBlock: '5px',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
  },
  '&[data-wraps="true"][data-size="small"]': { minHeight: size.controlSmall, paddingBlock: '3px' },

  '&[data-variant="text"]:hover': { backgroundColor: color.hover },
  '&[data-variant="outlined"]': { borderColor: color.control, backgroundColor: color.surface },
  '&[data-variant="outlined"]:hover': { borderColor: color.muted, backgroundColor: color.hover },
  '&[data-variant="contained"]': { backgroundColor: color.accent, color: color.onAccent },
  '&[data-variant="contained"]:hover': { backgroundColor: color.accentHover },
  '&[data-variant="text"][data-tone="accent"]': { color: color.accentText },
  '&[data-variant="text"][data-tone="danger"], &[data-variant="outlined"][data-tone="danger"]': {
    color: color.errorText,
  },
  '&[data-variant="text"][data-tone="danger"]:hover': { backgroundColor: color.errorSoft },
  '&[data-variant="outlined"][data-tone="danger"]:hover': {
    borderColor: color.errorText,
    backgroundColor: color.errorSoft,
  },
  '&[data-variant="contained"][data-tone="danger"]': {
    backgroundColor: color.errorText,
    color: color.surface,
  },
  '&[data-variant="contained"][data-tone="danger"]:hover': { filter: 'brightness(0.94)' },

  '&:disabled': { cursor: 'default', pointerEvents: 'none', color: color.faint },
  '&[data-variant="outlined"]:disabled': { borderColor: color.line },
  '&[data-variant="contained"]:disabled': { backgroundColor: color.neutralSoft, color: color.faint },
  // Unavailable or in progress, but still reachable by keyboard.
  '&[aria-disabled="true"]': { opacity: 0.5, cursor: 'not-allowed' },
});

/**
 * Returns the props of `Root`: its style as attributes, which no link component misinterprets, and the content
 * between its icons.
 */
function dressed<Props extends Look & { children?: ReactNode }>({
  variant = 'outlined',
  tone = 'neutral',
  size = 'medium',
  fullWidth = false,
  wraps = fullWidth,
  startIcon,
  endIcon,
  children,
  ...rest
}: Props) {
  return {
    ...rest,
    'data-variant': variant,
    'data-tone': tone,
    'data-size': size,
    'data-full-width': fullWidth,
    'data-wraps': wraps,
    children: (
      <>
        {startIcon}
        {children}
        {endIcon}
      </>
    ),
  };
}

/** Triggers an action. Submits a form only with `type="submit"`. */
export const Button = (props: ButtonProps) => <Root type="button" {...dressed(props)} />;

const Anchor = Root.withComponent('a');
const RouterAnchor = Root.withComponent(Link);

/** A link that looks like a button: opens a page, never triggers an action. */
export const LinkButton = (props: LinkButtonProps) => <RouterAnchor {...dressed(props)} />;

/** The same for addresses served by the server, such as downloads. */
export const DownloadButton = (props: LinkButtonProps) => <Anchor download {...dressed(props)} />;
