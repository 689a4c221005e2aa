import { color } from '../theme';
import type { ChartFrame, ChartLine } from './chart';
import { useCursor } from './ChartSync';
import type { ChartCursor } from './cursor';
import { lineLook, markPath, previousLook } from './looks';
import { xAt, xOf, yOf, type Box } from './scale';
import { selectedRange, stepAt } from './selection';

interface Props {
  cursor: ChartCursor;
  frame: ChartFrame;
  lines: readonly ChartLine[];
  /** Value at the top edge. */
  top: number;
  box: Box;
}

/** The parts that move with the pointer: the crosshair, a mark on each value, and the selected range. */
export function CursorLayer({ cursor, frame, lines, top, box }: Props) {
  const { at, anchor } = useCursor(cursor);
  const index = stepAt(at, frame);
  if (at === null || index === null) return null;
  const x = xOf(index, frame.count, box);
  const range = anchor === null ? null : selectedRange(anchor, at, frame);
  const marks = lines.flatMap((line, i) => [
    {
      id: `${line.id} before`,
      value: line.previous?.[index] ?? null,
      mark: 'circle' as const,
      stroke: previousLook.stroke,
    },
    { id: line.id, value: line.values[index] ?? null, ...lineLook(i) },
  ]);
  return (
    <g pointerEvents="none">
      {range && (
        <rect
          x={xAt(range.from, frame, box)}
          width={xAt(range.to, frame, box) - xAt(range.from, frame, box)}
          y={box.top}
          height={box.height}
          fill={color.accent}
          fillOpacity="0.16"
          stroke={color.accent}
        />
      )}
      <line x1={x} x2={x} y1={box.top} y2={box.top + box.height} stroke={color.muted} />
      {marks.map(
        ({ id, value, mark, stroke }) =>
          value !== null && (
            <path
              key={id}
              d={markPath[mark]}
              transform={`translate(${x} ${yOf(value, top, box)})`}
              fill={stroke}
              stroke={color.surface}
              strokeWidth="1.5"
            />
          ),
      )}
    </g>
  );
}
