import { styled } from '@mui/material/styles';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { color, focusRing, radius, space, tabular, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';
import {
  moveIndex,
  newest,
  readStep,
  stepExactly,
  type ChartFrame,
  type ChartLine,
  type ChartSpan,
} from './chart';
import { ChartPlot } from './ChartPlot';
import { ChartTable } from './ChartTable';
import { Legend } from './Legend';
import { lineLook, markPath } from './looks';
import { indexAt, valueScale, xOf, yOf, type Box } from './scale';
import { unitWords, type ChartUnit } from './units';

const HEIGHT = 188;
const Root = styled('figure')({ minWidth: 0, margin: 0 });
const Head = styled('figcaption')({ minWidth: 0 });
const Name = styled('h3')({ ...type.heading });
// One line, whatever it says: reading a value moves nothing.
const Readout = styled('p')({
  ...type.small,
  ...tabular,
  color: color.muted,
  minHeight: 20,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
});
const Plot = styled('div')({
  position: 'relative',
  height: HEIGHT,
  marginTop: space(2),
  borderRadius: radius.small,
  cursor: 'crosshair',
  // A finger that moves along the chart reads it; one that moves up or down scrolls the page.
  touchAction: 'pan-y',
  '&:focus-visible': focusRing,
});
const Svg = styled('svg')({ display: 'block', width: '100%', height: HEIGHT, overflow: 'visible' });

export interface TimeChartProps {
  label: string;
  /** What the time axis covers: "last hour". */
  range: string;
  frame: ChartFrame;
  lines: readonly ChartLine[];
  unit: ChartUnit;
  /** What full is; the axis goes up to there. */
  capacity?: number | null;
  gaps?: readonly ChartSpan[];
  states?: readonly ChartSpan[];
  /** Beside the name while nothing is being read: "12 % now · 80 % at most". */
  summary?: string;
}

/**
 * Values over time. Pointer, finger or arrow keys read one step, with its exact time; a table has them all. Holes stay
 * holes, and say why.
 */
export function TimeChart({
  label,
  range,
  frame,
  lines,
  unit,
  capacity = null,
  gaps = NONE,
  states = NONE,
  summary = '',
}: TimeChartProps) {
  const id = useId();
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  // By time, so that the hand stays where it is when a new step comes.
  const [readAt, setReadAt] = useState<number | null>(null);
  const { count } = frame;
  const found = readAt === null ? null : Math.floor((readAt - frame.from) / frame.step_ms);
  const index = found === null || found < 0 || found >= count ? null : found;
  const scale = useMemo(() => {
    const largest = Math.max(
      0,
      ...lines.flatMap(({ values, peaks }) => [...values, ...(peaks ?? [])]).map((value) => value ?? 0),
    );
    return valueScale(largest, unit, capacity);
  }, [lines, unit, capacity]);
  const box: Box = useMemo(
    () => ({ left: 62, top: 8, width: Math.max(40, width - 62 - 8), height: HEIGHT - 8 - 36 }),
    [width],
  );
  const timeOf = (i: number) => frame.from + i * frame.step_ms;
  const read = index === null ? null : readStep(index, frame, lines, unit, { gaps, states });
  const hand = index ?? newest(lines, count);

  const point = (clientX: number) => {
    const left = plot.current?.getBoundingClientRect().left ?? 0;
    setReadAt(timeOf(indexAt(clientX - left, count, box)));
  };
  return (
    <Root aria-labelledby={id}>
      <Head>
        <Name id={id}>{label}</Name>
        <Readout title={index === null ? summary : stepExactly(index, frame)}>{read ?? summary}</Readout>
      </Head>
      <Plot
        ref={plot}
        role="slider"
        tabIndex={0}
        aria-label={`${label} in ${unitWords[unit]}, ${range}: arrow keys read the values`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={hand}
        aria-valuetext={readStep(hand, frame, lines, unit, { gaps, states })}
        onPointerMove={(event) => point(event.clientX)}
        onPointerDown={(event) => point(event.clientX)}
        onPointerLeave={() => setReadAt(null)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setReadAt(timeOf(hand))}
        onBlur={() => setReadAt(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') return setReadAt(null);
          const next =
            event.altKey || event.ctrlKey || event.metaKey ? null : moveIndex(event.key, hand, count);
          if (next === null) return;
          event.preventDefault();
          setReadAt(timeOf(next));
        }}
      >
        <Svg aria-hidden viewBox={`0 0 ${Math.max(width, 120)} ${HEIGHT}`} preserveAspectRatio="none">
          {width > 0 && (
            <>
              <ChartPlot
                {...{ frame, lines, unit, scale, capacity, gaps, states, box, width }}
                height={HEIGHT}
              />
              {index !== null && <Crosshair {...{ index, lines, top: scale.top, box, count }} />}
            </>
          )}
        </Svg>
      </Plot>
      {lines.length > 1 && <Legend {...{ frame, lines, unit, index }} />}
      <VisuallyHidden>
        {states
          .filter(({ tone }) => tone !== 'ok')
          .map((state) => state.label)
          .join(', ')}
      </VisuallyHidden>
      <ChartTable {...{ label, frame, lines, unit, gaps, states }} />
    </Root>
  );
}

const NONE: readonly ChartSpan[] = [];

interface CrosshairProps {
  index: number;
  count: number;
  lines: readonly ChartLine[];
  top: number;
  box: Box;
}

function Crosshair({ index, count, lines, top, box }: CrosshairProps) {
  const x = xOf(index, count, box);
  return (
    <g pointerEvents="none">
      <line x1={x} x2={x} y1={box.top} y2={box.top + box.height} stroke={color.muted} />
      {lines.map((line, i) => {
        const value = line.values[index] ?? null;
        if (value === null) return null;
        const look = lineLook(i);
        return (
          <path
            key={line.id}
            d={markPath[look.mark]}
            transform={`translate(${x} ${yOf(value, top, box)})`}
            fill={look.stroke}
            stroke={color.surface}
            strokeWidth="1.5"
          />
        );
      })}
    </g>
  );
}

/** Of the element, kept true; 0 before it is known. */
function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
