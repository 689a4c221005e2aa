import styled from '@emotion/styled';
import { Link } from '../link';
import { color, motion, radius, size, space, tabular, truncated, type } from '../theme';

/** The table responds to its container's width, not to the window's: an open aside also narrows it. */
export const Frame = styled('div')({ containerType: 'inline-size', minWidth: 0 });

const narrow = '@container (max-width: 560px)';
const wide = '@container (min-width: 560.01px)';
const hideBelow = {
  '@container (max-width: 720px)': { '&[data-priority="2"]': { display: 'none' } },
  '@container (max-width: 960px)': { '&[data-priority="3"]': { display: 'none' } },
  '@container (max-width: 1100px)': { '&[data-priority="4"]': { display: 'none' } },
};

export const Table = styled('table')({
  ...type.small,
  // Names align with the heading; the hover background extends slightly past them.
  width: `calc(100% + ${space(4)})`,
  margin: `0 -${space(2)}`,
  borderCollapse: 'separate',
  borderSpacing: 0,
  tableLayout: 'fixed',
  [wide]: { '&[data-dense] td': { height: 30, paddingTop: 0, paddingBottom: 0 } },
  [narrow]: { display: 'block' },
});

export const Head = styled('thead')({ [narrow]: { display: 'none' } });
export const Body = styled('tbody')({ [narrow]: { display: 'block' } });

export const HeadCell = styled('th')({
  ...type.caption,
  position: 'sticky',
  top: size.topbar,
  zIndex: 1,
  height: 32,
  padding: `0 ${space(3)}`,
  textAlign: 'left',
  fontWeight: 550,
  color: color.muted,
  whiteSpace: 'nowrap',
  backgroundColor: color.surface,
  borderBottom: `1px solid ${color.line}`,
  '&:first-of-type, &[data-first]': { paddingLeft: space(2) },
  '&[data-align="right"]': { textAlign: 'right' },
  ...hideBelow,
});

export const Row = styled('tr')({
  transition: `background-color ${motion.fast}`,
  '&:hover, &:focus-within': { backgroundColor: color.hover },
  [narrow]: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: space(1.5),
    rowGap: space(0.5),
    padding: `${space(2.5)} ${space(2)}`,
    borderBottom: `1px solid ${color.line}`,
    // Forces the break between the two lines.
    '&::after': { content: '""', order: 1, flexBasis: '100%' },
  },
});

export const Cell = styled('td')({
  height: 40,
  padding: `${space(1)} ${space(3)}`,
  borderBottom: `1px solid ${color.line}`,
  color: color.text,
  ...truncated,
  // A focus outline inside the cell must not be clipped with the text.
  '&:focus-within': { overflow: 'visible' },
  '&[data-first]': { paddingLeft: space(2), fontWeight: 500 },
  // Not on names, because tabular figures also widen Inter's hyphens.
  '&[data-align="right"]': { textAlign: 'right', ...tabular },
  '&[data-wrap="true"]': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
  ...hideBelow,
  [narrow]: {
    height: 'auto',
    padding: 0,
    border: 0,
    '&[data-wrap]': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
    // Names are never truncated; what is beside and below them is.
    '&[data-first]': {
      flex: '1 1 0',
      minWidth: '40%',
      paddingLeft: 0,
      ...type.body,
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
    '&[data-phone="hide"]': { display: 'none' },
    '&[data-phone="meta"]': { order: 2, ...type.caption, color: color.muted, maxWidth: '100%' },
    // As wide as its text until the line is full; then the longest are truncated.
    '[data-even] &[data-phone="meta"]': { flex: '1 1 0', minWidth: 0, maxWidth: 'max-content' },
    // Text of any length, below the other facts.
    '&[data-phone="line"]': { order: 3, flex: '1 0 100%', ...type.caption, color: color.muted },
    // Leaves space for the name and the row's menu.
    '&[data-phone="end"]': { maxWidth: 'calc(60% - 84px)' },
    // Without its heading, a dash or a bare number means nothing.
    '&[data-phone]:has([data-nothing])': { display: 'none' },
    '&[data-label]::before': { content: 'attr(data-label)', marginRight: space(1), color: color.faint },
    '&[data-phone="meta"]:not(:has([data-nothing])) ~ &[data-phone="meta"]::before': {
      content: '"·"',
      marginRight: space(1.5),
      color: color.faint,
    },
    '&[data-phone="meta"]:not(:has([data-nothing])) ~ &[data-phone="meta"][data-label]::before': {
      content: '"· " attr(data-label)',
      marginRight: space(1),
    },
    '[data-loading] &[data-phone="meta"]::before': { display: 'none !important' },
    '&[data-priority]': { display: 'revert' },
    '&[data-priority][data-phone="hide"]': { display: 'none' },
  },
});

export const ActionsCell = styled('td')({
  padding: `0 ${space(2)} 0 0`,
  textAlign: 'right',
  borderBottom: `1px solid ${color.line}`,
  [narrow]: { border: 0, padding: 0 },
});

/** A checkbox with its label around it, for a larger click target. */
export const Tick = styled('label')({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  width: 24,
  height: 24,
  verticalAlign: 'middle',
  cursor: 'pointer',
  '& input': { width: 15, height: 15, margin: 0, accentColor: color.accent, cursor: 'inherit' },
});

export const TickCell = styled('td')({
  padding: `0 0 0 ${space(1)}`,
  borderBottom: `1px solid ${color.line}`,
  [narrow]: { border: 0, padding: 0 },
});

export const RowLink = styled(Link)({
  display: 'block',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  color: color.text,
  textDecoration: 'none',
  borderRadius: radius.small,
  '&:hover': { color: color.accentText, textDecoration: 'underline', textUnderlineOffset: '3px' },
});

export const SortButton = styled('button')({
  ...type.caption,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 2,
  margin: '0 -4px',
  padding: '2px 4px',
  border: 0,
  borderRadius: radius.small,
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  cursor: 'pointer',
  '& svg': { fontSize: 14 },
  '&:hover': { color: color.text, backgroundColor: color.hover },
});

export const Bar = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
  minHeight: 40,
  paddingBottom: space(2),
});
export const Grow = styled('div')({
  flex: 1,
  minWidth: 0,
  // Search and filters get their own line if they would push the counts and tools together.
  [narrow]: { flexBasis: '100%', '&:empty': { display: 'none' } },
});
export const Counts = styled('span')({
  ...type.small,
  ...tabular,
  color: color.muted,
  whiteSpace: 'nowrap',
  [narrow]: { flex: '1 1 0', minWidth: 0, ...truncated },
});
/** As high as its highest control, because some load after the rows. */
export const Tools = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: space(2),
  minHeight: size.controlSmall,
  '&:empty': { display: 'none' },
});
export const Foot = styled('nav')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: space(2),
  paddingTop: space(3),
});
