import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import styled from '@emotion/styled';
import { useCallback, useLayoutEffect, useRef, useState, type CSSProperties } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../controls/Button';
import { MenuButton } from '../controls/MenuButton';
import { tabsThatFit } from './fittingTabs';
import type { NavItem } from './frameData';
import { tabEntry } from './tabEntry';
import { TabItem, TabList } from './TabItem';

const Line = styled(TabList)({
  position: 'relative',
  flexWrap: 'nowrap',
  alignItems: 'center',
  overflow: 'hidden',
  '& > li': { flex: 'none' },
});

/** Invisible and out of the tab order and layout, but measurable. */
const ASIDE: CSSProperties = { position: 'absolute', top: 0, left: 0, visibility: 'hidden' };

/** Tabs on one line, with a menu at the end for those that don't fit. The current tab is always on the line. */
export function TabLine({ tabs }: { tabs: readonly NavItem[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [fitting, setFitting] = useState<readonly number[]>();
  const current = tabs.findIndex((tab) => tab.current);
  const measure = useCallback(() => {
    const element = list.current;
    if (!element) return;
    const widths = [...element.children].map((item) => item.getBoundingClientRect().width);
    const more = widths.pop() ?? 0;
    const next = tabsThatFit(widths, {
      available: element.getBoundingClientRect().width,
      gap: Number.parseFloat(getComputedStyle(element).columnGap) || 0,
      more,
      current,
    });
    setFitting((before) => (before?.join() === next.join() ? before : next));
  }, [current]);
  const hrefs = tabs.map(({ href }) => href).join(' ');
  // Before the browser paints, so that no tab visibly moves to the menu.
  useLayoutEffect(measure, [measure, hrefs]);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    // Counts and fonts arrive later, and the window may be resized. Observers also run before the browser paints.
    const observer = new ResizeObserver(() => flushSync(measure));
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, [measure, hrefs]);
  const isOnLine = (index: number) => fitting === undefined || fitting.includes(index);
  const others = tabs.filter((_, index) => !isOnLine(index));
  return (
    <Line ref={list}>
      {tabs.map((tab, index) => (
        <li key={tab.href} style={isOnLine(index) ? undefined : ASIDE}>
          <TabItem tab={tab} />
        </li>
      ))}
      <li style={others.length > 0 ? undefined : ASIDE}>
        <MenuButton
          entries={others.map(tabEntry)}
          trigger={(props) => (
            <Button {...props} variant="text" size="small" endIcon={<ChevronDownIcon aria-hidden />}>
              More
            </Button>
          )}
        />
      </li>
    </Line>
  );
}
