import styled from '@emotion/styled';
import { Link } from '../link';
import { below, color, radius, space, truncated, type } from '../theme';
import type { Crumb } from './frameData';

const Root = styled('nav')({ minWidth: 0, flex: 1 });
const List = styled('ol')({ marginLeft: -3, display: 'flex', alignItems: 'center', minWidth: 0 });
// Long names shrink; short ones are shown in full if there is space.
const Item = styled('li')({
  ...type.small,
  display: 'flex',
  alignItems: 'center',
  minWidth: 0,
  flex: '0 1 auto',
  '&:not(:last-of-type)::after': { content: '"/"', margin: `0 ${space(1.5)}`, color: color.faint },
  '&[data-short]': { flexShrink: 0 },
  [below.phone]: {
    '&[data-short]': { flexShrink: 1 },
    '&:not(:nth-last-of-type(-n + 2))': { display: 'none' },
  },
});
const Text = styled('span')({
  minWidth: 0,
  ...truncated,
  padding: '2px 3px',
});
const Up = styled(Link)({
  color: color.muted,
  textDecoration: 'none',
  minWidth: 0,
  ...truncated,
  borderRadius: radius.small,
  padding: '2px 3px',
  '&:hover': { color: color.text, textDecoration: 'underline', textUnderlineOffset: '3px' },
  '&:focus-visible': { outlineOffset: '-2px' },
});

/** The current page's location. On a phone, only the last two steps are shown. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  if (crumbs.length === 0) return <Root as="div" />;
  return (
    <Root aria-label="Breadcrumb">
      <List>
        {crumbs.map((crumb, i) => (
          <Item key={`${i} ${crumb.label}`} data-short={crumb.label.length <= 16 || undefined}>
            {i < crumbs.length - 1 && crumb.href !== undefined ? (
              <Up href={crumb.href} title={crumb.label}>
                {crumb.label}
              </Up>
            ) : (
              <Text
                title={crumb.label}
                aria-current={i === crumbs.length - 1 ? 'page' : undefined}
                style={i === crumbs.length - 1 ? { fontWeight: 550 } : { color: color.muted }}
              >
                {crumb.label}
              </Text>
            )}
          </Item>
        ))}
      </List>
    </Root>
  );
}
