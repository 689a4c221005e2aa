/**
 * The only place for colors, spacing, radii, type and motion, used by both apps. Components never use hex values:
 * they use `color.*`, which are CSS variables, so switching between light and dark re-renders nothing.
 */

const light = {
  canvas: '#f6f4f0', // the frame: navigation, public backdrop
  surface: '#ffffff', // content background
  raised: '#ffffff', // menus, dialogs
  sunken: '#f7f5f2', // code, logs, table heads
  hover: '#f2efea',
  selected: '#e6efe9',
  line: '#e4e0d9', // separator lines; decorative, so exempt from 3:1
  control: '#8a847b', // borders of inputs and other controls: ≥ 3:1
  text: '#1d1b18',
  muted: '#57534c',
  faint: '#68635b', // still ≥ 4.5:1: no text is too pale to read
  accent: '#1f6650',
  accentHover: '#17513f',
  onAccent: '#ffffff',
  accentText: '#1a5d48',
  accentSoft: '#e6efe9',
  focus: '#1f7a5e',
  scrim: 'rgba(29, 27, 24, 0.42)',
  shadow: 'rgba(40, 34, 24, 0.14)',
  okText: '#2b6a1c',
  okSoft: '#eaf3e5',
  okSolid: '#3f8a2c',
  attentionText: '#7d4f00',
  attentionSoft: '#fbf1da',
  attentionSolid: '#b07300',
  errorText: '#a8261c',
  errorSoft: '#fcecea',
  errorSolid: '#c93a2f',
  progressText: '#1f5794',
  progressSoft: '#e8f0f8',
  progressSolid: '#3a78bd',
  simulatedText: '#6a3a9c',
  simulatedSoft: '#f4edfb',
  simulatedHatch: '#e9dcf6',
  simulatedSolid: '#8a5abf',
  neutralText: '#57534c',
  neutralSoft: '#f0ede8',
  neutralSolid: '#857f76',
  markText: '#1d1b18', // a search match
  markSoft: '#ffe28a',
  markCurrent: '#ffb84d',
  codeKey: '#1a5d48',
  codeString: '#7d4f00',
  codeNumber: '#6a3a9c',
  codeComment: '#68635b',
};

export type Tokens = typeof light;
export type ColorName = keyof Tokens;

const dark: Tokens = {
  canvas: '#121110',
  surface: '#191817',
  raised: '#23211f',
  sunken: '#131211',
  hover: '#242220',
  selected: '#1d2d26',
  line: '#302d2a',
  control: '#7b756d',
  text: '#edeae5',
  muted: '#b0aaa1',
  faint: '#9b958c',
  accent: '#62b394',
  accentHover: '#7ac5a8',
  onAccent: '#07130e',
  accentText: '#7dc8aa',
  accentSoft: '#1a2b24',
  focus: '#7dc8aa',
  scrim: 'rgba(0, 0, 0, 0.6)',
  shadow: 'rgba(0, 0, 0, 0.5)',
  okText: '#96cd80',
  okSoft: '#1d2b18',
  okSolid: '#6fae57',
  attentionText: '#e8bc5c',
  attentionSoft: '#2f2613',
  attentionSolid: '#c9962e',
  errorText: '#f49a91',
  errorSoft: '#311b18',
  errorSolid: '#e0665b',
  progressText: '#92bff0',
  progressSoft: '#182839',
  progressSolid: '#5b98d8',
  simulatedText: '#cdadf2',
  simulatedSoft: '#271d33',
  simulatedHatch: '#34264a',
  simulatedSolid: '#a67fd6',
  neutralText: '#b0aaa1',
  neutralSoft: '#2a2725',
  neutralSolid: '#8b857c',
  markText: '#1d1b18',
  markSoft: '#d9b64a',
  markCurrent: '#ff9d3d',
  codeKey: '#7dc8aa',
  codeString: '#e8bc5c',
  codeNumber: '#cdadf2',
  codeComment: '#9b958c',
};

export const schemes = { light, dark };

const names = Object.keys(light) as ColorName[];
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `color.muted` is `var(--th-muted)`; works in styled(), sx, SVG and CodeMirror. */
export const color = Object.fromEntries(names.map((name) => [name, `var(--th-${kebab(name)})`])) as Record<
  ColorName,
  string
>;

const declare = (tokens: Tokens) =>
  Object.fromEntries(names.map((name) => [`--th-${kebab(name)}`, tokens[name]]));

/** The attribute on <html> with the color scheme, and the storage key of the user's choice. */
export const schemeAttribute = 'data-theme';
export const schemeStorageKey = 'teehouse-theme';
/** The element that shows a page's frame until the app renders its own (`appShell.ts`). */
export const shellId = 'shell';

export const tokenSheet = {
  ':root': { ...declare(light), colorScheme: 'light' },
  [`[${schemeAttribute}="dark"]`]: { ...declare(dark), colorScheme: 'dark' },
};

/** n × 4 px: every gap and size is one of these. */
export const space = (n: number) => `${n * 4}px`;

export const radius = { small: '4px', control: '6px', panel: '8px', dialog: '12px' };

export const font = {
  sans: "'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif",
  mono: "'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
};

/** Size / line height; lines align to the 4 px grid. Spread into styled() or sx. */
export const type = {
  caption: { fontSize: '12px', lineHeight: '16px' },
  small: { fontSize: '13px', lineHeight: '20px' },
  body: { fontSize: '14px', lineHeight: '20px' },
  lead: { fontSize: '16px', lineHeight: '24px' },
  heading: { fontSize: '15px', lineHeight: '20px', fontWeight: 600, letterSpacing: '-0.006em' },
  title: { fontSize: '20px', lineHeight: '28px', fontWeight: 620, letterSpacing: '-0.014em' },
  display: { fontSize: '32px', lineHeight: '40px', fontWeight: 640, letterSpacing: '-0.022em' },
  hero: { fontSize: '48px', lineHeight: '52px', fontWeight: 660, letterSpacing: '-0.03em' },
  mono: {
    fontFamily: font.mono,
    fontSize: '12.5px',
    lineHeight: '20px',
    fontFeatureSettings: "'calt' 0, 'zero'",
  },
};

export const tabular = { fontVariantNumeric: 'tabular-nums' };

/** One line, which ends with an ellipsis where there is no space for more. */
export const truncated = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

export const motion = {
  fast: '90ms cubic-bezier(0.2, 0, 0, 1)',
  normal: '140ms cubic-bezier(0.2, 0, 0, 1)',
};
export const motionMs = { enter: 140, exit: 90 };

export const shadow = {
  raised: `0 0 0 1px ${color.line}, 0 8px 24px ${color.shadow}, 0 2px 6px ${color.shadow}`,
};

export const size = {
  control: '32px',
  controlSmall: '28px',
  controlLarge: '40px',
  topbar: '48px',
  nav: '224px',
  aside: '288px',
  reading: '68ch',
};

/**
 * Below `phone`, the navigation is a sheet and tables have two-line rows; below `asideSheet`, the aside is a sheet,
 * too; below `asideClosed`, it starts closed, so that lists keep their columns.
 */
export const breakpoints = { phone: 900, asideSheet: 1120, asideClosed: 1440 };
export const below = {
  phone: `@media (max-width: ${breakpoints.phone - 0.02}px)`,
  asideSheet: `@media (max-width: ${breakpoints.asideSheet - 0.02}px)`,
};

export const focusRing = { outline: `2px solid ${color.focus}`, outlineOffset: '2px' };
export const focusRingInset = { outline: `2px solid ${color.focus}`, outlineOffset: '-2px' };
