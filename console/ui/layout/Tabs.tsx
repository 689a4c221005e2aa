import LockIcon from 'lucide-react/icons/lock';
import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { MenuButton } from '../controls/MenuButton';
import { Tip } from '../controls/Tip';
import { Link } from '../link';
import { useMedia } from '../media';
import { color, focusRingInset, motion, space, tabular, type } from '../theme';
import type { NavItem } from './frameData';

const Root = styled('nav')({ marginBottom: space(5) });
const List = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: `0 ${space(5)}`,
  boxShadow: `inset 0 -1px 0 ${color.line}`,
});
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
// As wide as three digits: a count that arrives later moves no tab to another line.
const Badge = styled('span')({ ...type.caption, ...tabular, minWidth: 22, color: color.faint });

/** The parts of one thing, each with its own address. On a phone they are a menu: nothing scrolls sideways. */
export function Tabs({ tabs, label }: { tabs: readonly NavItem[]; label: string }) {
  const narrow = useMedia('(max-width: 640px)');
  const current = tabs.find((tab) => tab.current);
  if (narrow && tabs.length > 3) {
    return (
      <Root aria-label={label}>
        <MenuButton
          align="left"
          entries={tabs.map((tab) => ({
            id: tab.href,
            label: tab.label,
            href: tab.href,
            role: 'menuitemradio',
            checked: tab.current === true,
            ...(tab.disabledReason === undefined ? {} : { disabledReason: tab.disabledReason }),
          }))}
          trigger={(props) => (
            <Button
              {...props}
              fullWidth
              endIcon={<ChevronsUpDownIcon />}
              style={{ justifyContent: 'space-between', height: 40 }}
            >
              {current?.label ?? label}
            </Button>
          )}
        />
      </Root>
    );
  }
  return (
    <Root aria-label={label}>
      <List>
        {tabs.map((tab) => (
          <li key={tab.href}>
            {tab.disabledReason === undefined || tab.current ? (
              <Tab href={tab.href} aria-current={tab.current ? 'page' : undefined}>
                {tab.label}
                {tab.badge !== undefined && <Badge>{tab.badge}</Badge>}
              </Tab>
            ) : (
              <Tip text={tab.disabledReason}>
                {/* Reachable by keyboard, so that the reason is. */}
                <Shut role="link" aria-disabled tabIndex={0}>
                  {tab.label}
                  <LockIcon aria-hidden />
                </Shut>
              </Tip>
            )}
          </li>
        ))}
      </List>
    </Root>
  );
}
