import { brandName } from '../brand/installation';
import MenuIcon from 'lucide-react/icons/menu';
import SearchIcon from 'lucide-react/icons/search';
import PanelRightIcon from 'lucide-react/icons/panel-right';
import styled from '@emotion/styled';
import { useState, type ReactNode } from 'react';
import { mainId } from '../announce';
import { Wordmark } from '../brand/Mark';
import { ConnectionBanner } from '../feedback/ConnectionBanner';
import { IconAction } from '../controls/IconAction';
import { paletteKeys } from '../controls/keys';
import { lazyWithRetry } from '../lazyWithRetry';
import { Link } from '../link';
import { useMedia } from '../media';
import { OnceOpened } from '../OnceOpened';
import { useStored } from '../stored';
import { below, breakpoints, color, focusRing, motion, radius, size, space, type } from '../theme';
import { Breadcrumb } from './Breadcrumb';
import type { Crumb, NavSection } from './frameData';
import { movesOf } from './moves';
import { Nav } from './Nav';
import { placeName, useRememberedPlace, type Place } from './recentPlaces';
import { useKeyHelp } from './useKeyHelp';
import { useFirstFrame } from './useFirstFrame';

// Only narrow windows use it.
const Drawer = lazyWithRetry(() => import('../mui/Drawer').then((m) => ({ default: m.Drawer })));

const Skip = styled('a')({
  position: 'absolute',
  left: space(2),
  top: -60,
  zIndex: 1400,
  padding: `${space(2)} ${space(3)}`,
  borderRadius: radius.control,
  backgroundColor: color.raised,
  color: color.text,
  '&:focus': { top: space(2), ...focusRing },
});
const Root = styled('div')({
  display: 'grid',
  gridTemplateColumns: `${size.nav} minmax(0, 1fr)`,
  minHeight: '100dvh',
  backgroundColor: color.surface,
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Left = styled('nav')({
  position: 'sticky',
  top: 0,
  height: '100dvh',
  display: 'flex',
  flexDirection: 'column',
  backgroundColor: color.canvas,
  borderRight: `1px solid ${color.line}`,
  [below.phone]: { display: 'none' },
});
const Sheet = styled('nav')({
  width: 280,
  maxWidth: '88vw',
  height: '100%',
  display: 'flex',
  flexDirection: 'column',
  backgroundColor: color.canvas,
});
const Brand = styled(Link)({
  display: 'flex',
  alignItems: 'center',
  height: size.topbar,
  padding: `0 ${space(4)}`,
  textDecoration: 'none',
  flex: 'none',
  '&:focus-visible': { outlineOffset: '-4px' },
});
const Team = styled('div')({ padding: `0 ${space(2)} ${space(2)}` });
const LeftFoot = styled('div')({ padding: space(2), borderTop: `1px solid ${color.line}` });
/** Visible only if the navigation is a sheet. */
const OnPhone = styled('span')({ display: 'none', [below.phone]: { display: 'contents' } });
const Right = styled('div')({ minWidth: 0, display: 'flex', flexDirection: 'column' });
const Top = styled('header')({
  position: 'sticky',
  top: 0,
  zIndex: 20,
  display: 'flex',
  alignItems: 'center',
  gap: space(1),
  height: size.topbar,
  padding: `0 ${space(3)} 0 ${space(6)}`,
  backgroundColor: color.surface,
  borderBottom: `1px solid ${color.line}`,
  [below.phone]: { padding: `0 ${space(2)}` },
});
const Columns = styled('div')({ flex: 1, display: 'flex', alignItems: 'flex-start', minWidth: 0 });
const Main = styled('main')({
  flex: 1,
  minWidth: 0,
  maxWidth: 1480,
  padding: `${space(6)} ${space(6)} ${space(16)}`,
  outline: 'none !important',
  [below.phone]: { padding: `${space(4)} ${space(4)} ${space(16)}` },
});
const Aside = styled('aside')({
  position: 'sticky',
  top: size.topbar,
  width: size.aside,
  flex: 'none',
  height: `calc(100dvh - ${size.topbar})`,
  overflowY: 'auto',
  padding: `${space(6)} ${space(5)}`,
  borderLeft: `1px solid ${color.line}`,
});
const Search = styled('button')({
  ...type.small,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(2),
  height: size.controlSmall,
  width: 208,
  padding: `0 ${space(1.5)} 0 ${space(2)}`,
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
  backgroundColor: color.canvas,
  color: color.muted,
  cursor: 'pointer',
  transition: `border-color ${motion.fast}`,
  '& svg': { fontSize: 16 },
  '&:hover': { borderColor: color.control, color: color.text },
  '& kbd': { ...type.caption, fontFamily: 'inherit', marginLeft: 'auto', color: color.faint },
  [below.asideSheet]: {
    width: 32,
    height: 32,
    padding: 0,
    justifyContent: 'center',
    border: 0,
    background: 'none',
    '& svg': { fontSize: 18 },
    '& span, & kbd': { display: 'none' },
  },
});

interface Props {
  homeHref: string;
  /** The team switcher, above the sections. */
  team?: ReactNode;
  nav: readonly NavSection[];
  navFoot?: ReactNode;
  crumbs: readonly Crumb[];
  onSearch?: () => void;
  operations?: ReactNode;
  /** The bell. */
  notifications?: ReactNode;
  /** Bars below the top bar. */
  announcements?: ReactNode;
  account?: ReactNode;
  /** Context of the current page. If absent, there is no right column. */
  aside?: ReactNode;
  asideLabel?: string;
  /** Identifies the page, normally its path: sheets close when it changes. */
  pageKey: string;
  /**
   * The page's entry in recent pages, if not derived from `pageKey` and the breadcrumb; a page without a name isn't
   * remembered.
   */
  place?: Place;
  /** Opens a navigation page by its shortcut. */
  onGo?: (href: string) => void;
  /** ID of the user whose recent pages are stored. */
  userId?: string | undefined;
  children: ReactNode;
}

/** The frame of every signed-in page. Left: navigation. Top: current location. Right: context. */
export function AppFrame(props: Props) {
  const {
    homeHref,
    team,
    nav,
    navFoot,
    crumbs,
    onSearch,
    operations,
    notifications,
    announcements,
    account,
    aside,
    asideLabel = 'Context',
    pageKey,
    place = { href: pageKey, label: placeName(crumbs.slice(1).map(({ label }) => label)) },
    onGo,
    userId,
    children,
  } = props;
  useFirstFrame();
  useRememberedPlace(userId, place);
  const keyHelp = useKeyHelp(onGo ? movesOf(nav) : [], { onGo });
  // Stored separately: a narrow window starts without the aside, whatever was chosen in a wide one.
  const isNarrow = useMedia(`(max-width: ${breakpoints.asideClosed - 0.02}px)`);
  const [asideChoice, setAsideChoice] = useStored(
    isNarrow ? 'aside-narrow' : 'aside',
    isNarrow ? 'closed' : 'open',
  );
  const [opened, setOpened] = useState<{ sheet: 'nav' | 'aside'; page: string } | null>(null);
  const asideIsSheet = useMedia(`(max-width: ${breakpoints.asideSheet - 0.02}px)`);
  const hasAside = aside !== undefined && aside !== null;
  // A sheet belongs to the page it was opened on, so following a link in it closes it.
  const sheet = opened?.page === pageKey ? opened.sheet : null;
  const setSheet = (next: 'nav' | 'aside' | null) => setOpened(next && { sheet: next, page: pageKey });

  const left = (
    <>
      <Brand href={homeHref} aria-label={`${brandName()}, home`}>
        <Wordmark />
      </Brand>
      {team !== undefined && <Team>{team}</Team>}
      <Nav sections={nav} />
      {navFoot !== undefined && <LeftFoot>{navFoot}</LeftFoot>}
    </>
  );
  const asideShown = hasAside && !asideIsSheet && asideChoice === 'open';

  return (
    <>
      <Skip href={`#${mainId}`}>Skip to content</Skip>
      <Root>
        <Left aria-label="Sections">{left}</Left>
        <Right>
          <Top>
            <OnPhone>
              <IconAction label="Open navigation" onClick={() => setSheet('nav')}>
                <MenuIcon />
              </IconAction>
            </OnPhone>
            <Breadcrumb crumbs={crumbs} />
            {onSearch && (
              <Search
                type="button"
                onClick={onSearch}
                aria-label="Search"
                aria-keyshortcuts="Control+K Meta+K"
              >
                <SearchIcon />
                <span>Search or go to…</span>
                <kbd>{paletteKeys}</kbd>
              </Search>
            )}
            {operations}
            {notifications}
            {hasAside && (
              <IconAction
                label={asideShown ? `Hide ${asideLabel.toLowerCase()}` : `Show ${asideLabel.toLowerCase()}`}
                aria-expanded={asideIsSheet ? sheet === 'aside' : asideShown}
                onClick={() =>
                  asideIsSheet ? setSheet('aside') : setAsideChoice(asideShown ? 'closed' : 'open')
                }
              >
                <PanelRightIcon />
              </IconAction>
            )}
            {account}
          </Top>
          <ConnectionBanner />
          {announcements !== undefined && <section aria-label="Announcements">{announcements}</section>}
          <Columns>
            <Main id={mainId} tabIndex={-1}>
              {children}
            </Main>
            {asideShown && (
              <Aside aria-label={asideLabel} tabIndex={0}>
                {aside}
              </Aside>
            )}
          </Columns>
        </Right>
      </Root>
      {keyHelp}
      <OnceOpened open={sheet === 'nav'}>
        <Drawer
          open={sheet === 'nav'}
          onClose={() => setSheet(null)}
          slotProps={{ paper: { 'aria-label': 'Navigation', role: 'dialog', 'aria-modal': true } }}
        >
          <Sheet aria-label="Sections">{left}</Sheet>
        </Drawer>
      </OnceOpened>
      {hasAside && (
        <OnceOpened open={sheet === 'aside' && asideIsSheet}>
          <Drawer
            anchor="right"
            open={sheet === 'aside' && asideIsSheet}
            onClose={() => setSheet(null)}
            slotProps={{ paper: { 'aria-label': asideLabel, role: 'dialog', 'aria-modal': true } }}
          >
            <Sheet as="div" style={{ width: 320, padding: 20, overflowY: 'auto', background: color.surface }}>
              {aside}
            </Sheet>
          </Drawer>
        </OnceOpened>
      )}
    </>
  );
}
