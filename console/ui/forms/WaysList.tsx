import styled from '@emotion/styled';
import { color, focusRing, radius, space, type } from '../theme';

const List = styled('ul')({ ...type.body, display: 'grid', gap: space(1), listStyle: 'none', padding: 0 });
const Way = styled('button')({
  ...type.body,
  fontFamily: 'inherit',
  padding: 0,
  border: 0,
  background: 'none',
  color: color.accentText,
  textAlign: 'left',
  textDecoration: 'underline',
  textDecorationColor: `color-mix(in srgb, ${color.accentText} 40%, transparent)`,
  textUnderlineOffset: '3px',
  borderRadius: radius.small,
  cursor: 'pointer',
  '&:hover': { textDecorationColor: 'currentColor' },
  '&:focus-visible': focusRing,
});
const Heading = styled('p')({ ...type.caption, color: color.muted, marginBottom: space(1) });

interface Props<Id extends string> {
  ways: readonly { id: Id; label: string }[];
  onChoose: (id: Id) => void;
}

/** Alternative ways to confirm the user's identity, below the best one. */
export function WaysList<Id extends string>({ ways, onChoose }: Props<Id>) {
  if (ways.length === 0) return null;
  return (
    <div>
      <Heading>Other options</Heading>
      <List>
        {ways.map(({ id, label }) => (
          <li key={id}>
            <Way type="button" onClick={() => onChoose(id)}>
              {label}
            </Way>
          </li>
        ))}
      </List>
    </div>
  );
}
