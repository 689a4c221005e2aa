import styled from '@emotion/styled';
import { useId, useMemo, useRef } from 'react';
import { formatDuration } from '../../lib/time/time';
import { color, space, tabular, truncated, type } from '../theme';
import { useWidth } from '../useWidth';
import { VisuallyHidden } from '../VisuallyHidden';
import { rangeWords, readStep, stepExactly, type ChartFrame, type ChartLine, type ChartSpan } from './chart';
import { ChartPlot } from './ChartPlot';
import { useChartSync, useCursor } from './ChartSync';
import { ChartTable } from './ChartTable';
import type { ChartCursor } from './cursor';
import { CursorLayer } from './CursorLayer';
import { Legend } from './Legend';
import { FLAG_WIDTH, MarkerFlags } from './MarkerFlags';
import { groupMarkers, markersIn, type ChartMarkers } from './markers';
import { PlotHand } from './PlotHand';
import { valueScale, type Box } from './scale';
import { selectedRange, stepAt } from './selection';
import type { ChartUnit } from './units';

const HEIGHT = 196;
/** Space for the marker flags. */
const TOP = 20;
const Root = styled('figure')({ minWidth: 0, margin: 0 });
const Head = styled('figcaption')({ minWidth: 0 });
const Name = styled('h3')({ ...type.heading });
// Always one line, so that reading a value causes no layout shift.
const Readout = styled('p')({
  ...type.small,
  ...tabular,
  color: color.muted,
  minHeight: 20,
  ...truncated,
});
const Stage = styled('div')({ position: 'relative', height: HEIGHT, marginTop: space(2) });
const Svg = styled('svg')({ display: 'block', width: '100%', height: HEIGHT, overflow: 'visible' });

export interface TimeChartProps {
  label: string;
  /** Label of the time axis: "last hour". */
  range: string;
  frame: ChartFrame;
  lines: readonly ChartLine[];
  unit: ChartUnit;
  /** The capacity; the axis extends to it. */
  capacity?: number | null;
  gaps?: readonly ChartSpan[];
  states?: readonly ChartSpan[];
  /** Shown beside the name if no value is being read: "12% now · 80% at most". */
  summary?: string;
  /** Changes, shown as vertical lines. */
  markers?: ChartMarkers;
  /** Whether the markers are in the tab order: one chart of a grid is enough. */
  reachableMarkers?: boolean;
}

/**
 * Values over time. Pointer, finger or arrow keys read one step, with its exact time, in all charts of a
 * `ChartSync`; a table lists all values. Gaps stay gaps, with their reason.
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
  markers = NO_MARKERS,
  reachableMarkers = true,
}: TimeChartProps) {
  const id = useId();
  const { cursor } = useChartSync();
  const stage = useRef<HTMLDivElement>(null);
  const width = useWidth(stage);
  const scale = useMemo(() => {
    const largest = Math.max(
      0,
      ...lines
        .flatMap(({ values, peaks = [], previous = [] }) => [...values, ...peaks, ...previous])
        .map((value) => value ?? 0),
    );
    return valueScale(largest, unit, capacity);
  }, [lines, unit, capacity]);
  const box: Box = useMemo(
    () => ({ left: 62, top: TOP, width: Math.max(40, width - 62 - 8), height: HEIGHT - TOP - 36 }),
    [width],
  );
  const changes = useMemo(() => markersIn(markers.items, frame), [markers, frame]);
  const groups = useMemo(
    () => groupMarkers(changes, (FLAG_WIDTH / box.width) * frame.count * frame.step_ms),
    [changes, box, frame],
  );
  return (
    <Root aria-labelledby={id}>
      <Head>
        <Name id={id}>{label}</Name>
        <Reading {...{ cursor, frame, lines, unit, gaps, states, summary }} />
      </Head>
      <Stage ref={stage}>
        <PlotHand {...{ label, range, unit, frame, lines, gaps, states, box }}>
          <Svg aria-hidden viewBox={`0 0 ${Math.max(width, 120)} ${HEIGHT}`} preserveAspectRatio="none">
            {width > 0 && (
              <>
                <ChartPlot {...{ frame, lines, unit, scale, capacity, gaps, states, groups, box, width }} />
                <CursorLayer {...{ cursor, frame, lines, box }} top={scale.top} />
              </>
            )}
          </Svg>
        </PlotHand>
        {width > 0 && (
          <MarkerFlags {...{ groups, frame, box }} hrefOf={markers.hrefOf} reachable={reachableMarkers} />
        )}
      </Stage>
      {(lines.length > 1 || lines[0]?.previous) && <Legend {...{ frame, lines, unit, cursor }} />}
      <VisuallyHidden>
        {states
          .filter(({ tone }) => tone !== 'ok')
          .map((state) => state.label)
          .join(', ')}
      </VisuallyHidden>
      <ChartTable {...{ label, frame, lines, unit, gaps, states }} markers={changes} />
    </Root>
  );
}

const NONE: readonly ChartSpan[] = [];
const NO_MARKERS: ChartMarkers = { items: [], hrefOf: () => '' };

interface ReadingProps extends Pick<TimeChartProps, 'frame' | 'lines' | 'unit'> {
  cursor: ChartCursor;
  gaps: readonly ChartSpan[];
  states: readonly ChartSpan[];
  summary: string;
}

/** The values at the cursor, or the range being selected. */
function Reading({ cursor, frame, lines, unit, gaps, states, summary }: ReadingProps) {
  const { at, anchor } = useCursor(cursor);
  const index = stepAt(at, frame);
  if (at === null || index === null) return <Readout title={summary}>{summary}</Readout>;
  if (anchor !== null) {
    const selected = selectedRange(anchor, at, frame);
    return (
      <Readout>
        {rangeWords(selected)} ({formatDuration((selected.to - selected.from) / 1000)})
      </Readout>
    );
  }
  return (
    <Readout title={stepExactly(index, frame)}>
      {readStep(index, frame, lines, unit, { gaps, states })}
    </Readout>
  );
}
