import styled from '@emotion/styled';
import { color, radius, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { differences, isChange, type Difference } from './differences';
import { fieldName } from './names';

const List = styled('dl')({ display: 'grid', gap: space(1.5), margin: 0 });
const Item = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(96px, 180px) minmax(0, 1fr)',
  gap: `${space(1)} ${space(3)}`,
  alignItems: 'baseline',
  '@container (max-width: 560px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Key = styled('dt')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const Values = styled('dd')({
  ...type.small,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: space(2),
  margin: 0,
  minWidth: 0,
});
const Value = styled('span')({
  ...type.mono,
  maxWidth: '100%',
  maxHeight: 240,
  overflow: 'auto',
  padding: `0 ${space(1.5)}`,
  borderRadius: radius.small,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '&[data-was]': {
    color: color.errorText,
    backgroundColor: color.errorSoft,
    textDecoration: 'line-through',
  },
  '&[data-is]': { color: color.okText, backgroundColor: color.okSoft },
  '&[data-same]': { paddingLeft: 0, color: color.muted },
});
const Arrow = styled('span')({ color: color.muted });
const None = styled('p')({ ...type.small, color: color.muted });

/** An entry's values: old ones struck through, new ones after an arrow. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
  const all = differences(before, after);
  if (all.length === 0) return <None>No values recorded.</None>;
  return (
    <List>
      {all.map((one) => (
        <Item key={one.key}>
          <Key>{fieldName(one.key)}</Key>
          <Values>
            <Change change={one} gone={after === null} />
          </Values>
        </Item>
      ))}
    </List>
  );
}

/**
 * `gone`: there is no `after`, so the old value ended. Otherwise, a value present only in `before` need not have
 * ended.
 */
function Change({ change, gone }: { change: Difference; gone: boolean }) {
  const { before, after } = change;
  if (!isChange(change)) return <Value data-same>{after}</Value>;
  const ended = gone || after !== null;
  return (
    <>
      {before !== null && !ended && <Value data-same>was {before}</Value>}
      {before !== null && ended && (
        <Value data-was>
          <VisuallyHidden>Before: </VisuallyHidden>
          {before}
        </Value>
      )}
      {before !== null && after !== null && <Arrow aria-hidden>→</Arrow>}
      {after !== null && (
        <Value data-is>
          {before !== null && <VisuallyHidden>After: </VisuallyHidden>}
          {after}
        </Value>
      )}
    </>
  );
}
