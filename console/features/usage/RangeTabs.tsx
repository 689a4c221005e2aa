import { styled } from '@mui/material/styles';
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

/** How far back; each its own address. */
export function RangeTabs({ range }: { range: Range }) {
  const { pathname, search } = useLocation();
  return (
    <nav aria-label="Time range">
      <List>
        {RANGES.map((one) => {
          const query = new URLSearchParams();
          for (const [key, value] of Object.entries(search as Record<string, unknown>))
            if (key !== 'range' && typeof value === 'string') query.set(key, value);
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
