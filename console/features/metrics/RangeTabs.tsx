import styled from '@emotion/styled';
import { useLocation } from '@tanstack/react-router';
import { Link } from '../../ui/link';
import { color, focusRing, radius, size, space, type } from '../../ui/theme';
import { RANGES, type Range } from './search';

const words: Readonly<Record<Range, string>> = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' };

const List = styled('ul')({
  display: 'flex',
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  overflow: 'hidden',
});
const Part = styled(Link)({
  ...type.small,
  display: 'block',
  height: `calc(${size.controlSmall} - 2px)`,
  padding: `${space(0.75)} ${space(3)}`,
  lineHeight: '20px',
  color: color.muted,
  textDecoration: 'none',
  '&:hover': { backgroundColor: color.hover, color: color.text },
  '&:focus-visible': { ...focusRing, outlineOffset: '-2px' },
  '&[aria-current="page"]': { backgroundColor: color.selected, color: color.text, fontWeight: 550 },
});

/** Choosing a range replaces the previous one and any zoom. */
const REPLACED: ReadonlySet<string> = new Set(['range', 'from', 'to']);

/** Time ranges, each with its own address. None is current while the charts are zoomed. */
export function RangeTabs({ range }: { range: Range | null }) {
  const { pathname, search } = useLocation();
  return (
    <nav aria-label="Time range">
      <List>
        {RANGES.map((one) => {
          const query = new URLSearchParams();
          for (const [key, value] of Object.entries(search as Record<string, unknown>))
            if (!REPLACED.has(key) && typeof value === 'string') query.set(key, value);
          if (one !== 'hour') query.set('range', one);
          const text = query.toString();
          return (
            <li key={one}>
              <Part
                href={`${pathname}${text === '' ? '' : `?${text}`}`}
                aria-current={one === range ? 'page' : undefined}
              >
                {words[one]}
              </Part>
            </li>
          );
        })}
      </List>
    </nav>
  );
}
