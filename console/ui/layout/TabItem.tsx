import LockIcon from 'lucide-react/icons/lock';
import styled from '@emotion/styled';
import { Tip } from '../controls/Tip';
import { Link } from '../link';
import { color, focusRingInset, motion, space, tabular, type } from '../theme';
import type { NavItem } from './frameData';

const Tab = styled(Link)({
  ...type.body,
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(1.5),
  height: 36,
  color: color.muted,
  fontWeight: 500,
  textDecoration: 'none',
  whiteSpace: 'nowrap',
  transition: `color ${motion.fast}`,
  '&::after': {
    content: '""',
    position: 'absolute',
    left: 0,
    right: 0,
    bottom: 0,
    height: 2,
    borderRadius: 1,
  },
  '&:hover': { color: color.text },
  '&:hover::after': { backgroundColor: color.control },
  '&:focus-visible': focusRingInset,
  '&[aria-current="page"]': { color: color.text, fontWeight: 550 },
  '&[aria-current="page"]::after': { backgroundColor: color.accent },
});
const Shut = styled('span')({
  ...type.body,
  display: 'inline-flex',
  alignItems: 'center',
  height: 36,
  color: color.faint,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  cursor: 'not-allowed',
  '& svg': { fontSize: 14, marginLeft: space(1) },
  '&:focus-visible': focusRingInset,
});
// As wide as three digits, so that a count that arrives later moves no tab to another line.
const Badge = styled('span')({ ...type.caption, ...tabular, minWidth: 22, color: color.faint });

export const TabList = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: `0 ${space(5)}`,
  boxShadow: `inset 0 -1px 0 ${color.line}`,
});

/** A tab: a link, or the reason why it is unavailable. */
export function TabItem({ tab }: { tab: NavItem }) {
  if (tab.disabledReason === undefined || tab.current)
    return (
      <Tab href={tab.href} aria-current={tab.current ? 'page' : undefined}>
        {tab.label}
        {tab.badge !== undefined && <Badge>{tab.badge}</Badge>}
      </Tab>
    );
  return (
    <Tip text={tab.disabledReason}>
      {/* Reachable by keyboard, so that the reason can be read. */}
      <Shut role="link" aria-disabled tabIndex={0}>
        {tab.label}
        <LockIcon aria-hidden />
      </Shut>
    </Tip>
  );
}
