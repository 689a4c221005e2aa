import styled from '@emotion/styled';
import { useEffect, useRef } from 'react';
import { Link } from '../link';
import { color, focusRingInset, motion, radius, space, tabular, truncated, type } from '../theme';
import type { NavItem, NavSection } from './frameData';

const Root = styled('div')({
  flex: 1,
  overflowY: 'auto',
  padding: `${space(1)} ${space(2)} ${space(4)}`,
  display: 'grid',
  // Never wider than the sidebar, so that long names are truncated.
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignContent: 'start',
  gap: space(4),
});
const Label = styled('p')({
  ...type.caption,
  color: color.faint,
  fontWeight: 550,
  padding: `0 ${space(2)} ${space(1)}`,
});
const List = styled('ul')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1 });
const Item = styled(Link)({
  ...type.body,
  display: 'flex',
  alignItems: 'center',
  gap: space(2.5),
  minHeight: 32,
  padding: `${space(1)} ${space(2)}`,
  borderRadius: radius.control,
  color: color.muted,
  fontWeight: 500,
  textDecoration: 'none',
  transition: `background-color ${motion.fast}, color ${motion.fast}`,
  '& svg': { fontSize: 18, flex: 'none' },
  '&:hover': { backgroundColor: color.hover, color: color.text },
  '&:focus-visible': focusRingInset,
  '&[aria-current="page"]': { backgroundColor: color.selected, color: color.text, fontWeight: 600 },
  '&[aria-current="page"] svg': { color: color.accentText },
  // Aligned with the parent's label, past its icon.
  '&[data-nested]': { minHeight: 28, paddingLeft: 36 },
});
const Text = styled('span')({
  flex: 1,
  minWidth: 0,
  ...truncated,
});
const Badge = styled('span')({ ...type.caption, ...tabular, color: color.faint });

/** Child entries are visible if their parent or one of them is the current page. */
const isOpen = ({ parent }: NavItem, items: readonly NavItem[]) =>
  parent === undefined ||
  items.some((item) => item.current === true && (item.href === parent || item.parent === parent));

/** The navigation's sections; the frame puts them into its navigation landmark. */
export function Nav({ sections }: { sections: readonly NavSection[] }) {
  const root = useRef<HTMLDivElement>(null);
  const here = sections.flatMap(({ items }) => items).find(({ current }) => current)?.href;
  // Scrolls the current entry of a long menu into view.
  useEffect(() => {
    root.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  return (
    <Root ref={root}>
      {sections.map((section, i) => (
        <div key={section.label ?? i}>
          {section.label !== undefined && <Label>{section.label}</Label>}
          <List>
            {section.items
              .filter((item) => isOpen(item, section.items))
              .map((item) => (
                <li key={item.href}>
                  <Item
                    href={item.href}
                    aria-current={item.current ? 'page' : undefined}
                    data-nested={item.parent === undefined ? undefined : true}
                  >
                    {item.icon}
                    <Text>{item.label}</Text>
                    {item.badge !== undefined && <Badge>{item.badge}</Badge>}
                  </Item>
                </li>
              ))}
          </List>
        </div>
      ))}
    </Root>
  );
}
