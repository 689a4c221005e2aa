import { styled } from '@mui/material/styles';
import { color, space, tabular, type } from '../theme';
import { valueWords, type ChartFrame, type ChartLine } from './chart';
import { lineLook, markPath } from './looks';
import { formatValue, type ChartUnit } from './units';

const List = styled('ul')({
  ...type.small,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))',
  gap: `${space(0.5)} ${space(5)}`,
  marginTop: space(1),
});
const Item = styled('li')({ display: 'flex', alignItems: 'center', gap: space(2), minWidth: 0 });
const Name = styled('span')({
  flex: 1,
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
});
const Value = styled('span')({ ...tabular, color: color.muted, whiteSpace: 'nowrap' });

interface Props {
  frame: ChartFrame;
  lines: readonly ChartLine[];
  unit: ChartUnit;
  /** The step that is being read; the newest value of each line otherwise. */
  index: number | null;
}

/** Which line is which, by dashes and mark, with its value. */
export function Legend({ frame, lines, unit, index }: Props) {
  return (
    <List>
      {lines.map((line, i) => {
        const { stroke, dash, mark } = lineLook(i);
        const words =
          index === null
            ? formatValue(
                line.values.findLast((one) => one !== null),
                unit,
              )
            : valueWords(line, index, frame, unit);
        return (
          <Item key={line.id}>
            <svg width="28" height="10" viewBox="0 0 28 10" aria-hidden style={{ flex: 'none' }}>
              <path d="M0 5H28" stroke={stroke} strokeWidth="1.6" strokeDasharray={dash || undefined} />
              <path d={markPath[mark]} transform="translate(14 5)" fill={stroke} />
            </svg>
            <Name title={line.name}>{line.name}</Name>
            <Value>{words}</Value>
          </Item>
        );
      })}
    </List>
  );
}
