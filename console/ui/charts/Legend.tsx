import styled from '@emotion/styled';
import { color, space, tabular, truncated, type } from '../theme';
import { useCursor } from './ChartSync';
import { valueWords, type ChartFrame, type ChartLine } from './chart';
import type { ChartCursor } from './cursor';
import { lineLook, markPath, previousLook } from './looks';
import { stepAt } from './selection';
import { formatValue, type ChartUnit } from './units';

const List = styled('ul')({
  ...type.small,
  display: 'grid',
  // As wide as the names, if there is space for them.
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 200px), max-content))',
  gap: `${space(0.5)} ${space(5)}`,
  marginTop: space(1),
  // Leaves space for two values beside each name.
  '&[data-wide="true"]': {
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), max-content))',
  },
});
const Item = styled('li')({ display: 'flex', alignItems: 'center', gap: space(2), minWidth: 0 });
const Name = styled('span')({
  flex: 1,
  minWidth: 0,
  ...truncated,
});
const Swatch = styled('svg')({ flex: 'none' });
const Value = styled('span')({ ...tabular, color: color.muted, whiteSpace: 'nowrap' });

interface Props {
  frame: ChartFrame;
  lines: readonly ChartLine[];
  unit: ChartUnit;
  /** Shows values at the cursor's step, or else each line's latest value. */
  cursor: ChartCursor;
}

/** Identifies the lines by dashes and mark, with their current value and that of the previous period. */
export function Legend({ frame, lines, unit, cursor }: Props) {
  const index = stepAt(useCursor(cursor).at, frame);
  const compared = lines.some(({ previous }) => previous);
  const [only] = lines.length === 1 ? lines : [];
  const before = ({ previous }: ChartLine) =>
    previous && index !== null ? formatValue(previous[index] ?? null, unit) : '';
  return (
    <List data-wide={compared && lines.length > 1}>
      {lines.map((line, i) => {
        const { stroke, dash, mark } = lineLook(i);
        const words =
          index === null
            ? formatValue(
                line.values.findLast((one) => one !== null),
                unit,
              )
            : valueWords(line, index, frame, unit);
        const past = lines.length > 1 ? before(line) : '';
        return (
          <Item key={line.id}>
            <Swatch width="28" height="10" viewBox="0 0 28 10" aria-hidden>
              <path d="M0 5H28" stroke={stroke} strokeWidth="1.6" strokeDasharray={dash || undefined} />
              <path d={markPath[mark]} transform="translate(14 5)" fill={stroke} />
            </Swatch>
            <Name title={line.name}>{line.name}</Name>
            <Value>{past === '' ? words : `${words}, previously ${past}`}</Value>
          </Item>
        );
      })}
      {compared && (
        <Item>
          <Swatch width="28" height="10" viewBox="0 0 28 10" aria-hidden>
            <path d="M0 5H28" stroke={previousLook.stroke} strokeDasharray={previousLook.dash} />
          </Swatch>
          <Name>Previous period</Name>
          <Value>{only && before(only)}</Value>
        </Item>
      )}
    </List>
  );
}
