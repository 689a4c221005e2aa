import styled from '@emotion/styled';
import { memo, useId } from 'react';
import { toneSolid } from '../feedback/ToneChip';
import { color } from '../theme';
import { isDaily, type ChartFrame, type ChartLine, type ChartSpan } from './chart';
import { lineLook, previousLook } from './looks';
import type { MarkerGroup } from './markers';
import { areaPath, dayTicks, linePath, timeTicks, xAt, yOf, type Box, type ValueScale } from './scale';
import { formatValue, type ChartUnit } from './units';

const Tick = styled('text')({ fontSize: 11, fill: color.faint, fontVariantNumeric: 'tabular-nums' });

export interface PlotProps {
  frame: ChartFrame;
  lines: readonly ChartLine[];
  unit: ChartUnit;
  scale: ValueScale;
  /** The capacity, if the axis extends beyond it. */
  capacity: number | null;
  gaps: readonly ChartSpan[];
  states: readonly ChartSpan[];
  groups: readonly MarkerGroup[];
  box: Box;
  width: number;
}

/** The parts that don't move with the pointer; redrawn only when data or size change. */
export const ChartPlot = memo(function ChartPlot(props: PlotProps) {
  const { frame, lines, unit, scale, capacity, gaps, states, groups, box, width } = props;
  const hatch = useId();
  const end = frame.from + frame.count * frame.step_ms;
  const x = (ms: number) => xAt(ms, frame, box);
  const bottom = box.top + box.height;
  const most = Math.floor(box.width / 68);
  const times = isDaily(frame) ? dayTicks(frame, most) : timeTicks(frame.from, end, most);
  return (
    <>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" stroke={color.control} strokeWidth="1" opacity="0.35" />
        </pattern>
      </defs>
      {scale.ticks.map((tick) => {
        const y = yOf(tick, scale.top, box);
        return (
          <g key={tick}>
            <line x1={box.left} x2={box.left + box.width} y1={y} y2={y} stroke={color.line} />
            <Tick x={box.left - 6} y={y + 4} textAnchor="end">
              {formatValue(tick, unit)}
            </Tick>
          </g>
        );
      })}
      {capacity !== null && capacity < scale.top * 0.999 && (
        <line
          x1={box.left}
          x2={box.left + box.width}
          y1={yOf(capacity, scale.top, box)}
          y2={yOf(capacity, scale.top, box)}
          stroke={color.attentionSolid}
          strokeDasharray="2 4"
        />
      )}
      {times.map(({ at, label }) => (
        <Tick
          key={at}
          x={Math.min(Math.max(x(at), box.left + 14), width - 18)}
          y={bottom + 26}
          textAnchor="middle"
        >
          {label}
        </Tick>
      ))}
      {gaps.map((gap) => {
        const [from, to] = [x(gap.from), x(gap.to)];
        return (
          <g key={gap.from}>
            <rect
              x={from}
              width={Math.max(1, to - from)}
              y={box.top}
              height={box.height}
              fill={`url(#${hatch})`}
            />
            {to - from > gap.label.length * 6 + 8 && (
              <Tick
                x={(from + to) / 2}
                y={box.top + box.height / 2 + 4}
                textAnchor="middle"
                style={{ fill: color.muted, paintOrder: 'stroke', stroke: color.surface, strokeWidth: 4 }}
              >
                {gap.label}
              </Tick>
            )}
          </g>
        );
      })}
      {groups.map(({ at }) => (
        <line
          key={at}
          x1={x(at)}
          x2={x(at)}
          y1={box.top - 4}
          y2={bottom}
          stroke={color.neutralSolid}
          opacity="0.7"
        />
      ))}
      {lines.map(
        ({ id, previous }) =>
          previous && (
            <path
              key={id}
              d={linePath(previous, scale.top, box)}
              fill="none"
              stroke={previousLook.stroke}
              strokeDasharray={previousLook.dash}
              strokeLinejoin="round"
            />
          ),
      )}
      {lines.map((line, i) => {
        const { stroke, dash } = lineLook(i);
        return (
          <g key={line.id}>
            {lines.length === 1 && (
              <>
                {line.peaks && (
                  <path d={areaPath(line.peaks, line.values, scale.top, box)} fill={stroke} opacity="0.22" />
                )}
                <path d={areaPath(line.values, null, scale.top, box)} fill={stroke} opacity="0.1" />
              </>
            )}
            <path
              d={linePath(line.values, scale.top, box)}
              fill="none"
              stroke={stroke}
              strokeWidth="1.6"
              strokeDasharray={dash || undefined}
              strokeLinejoin="round"
            />
          </g>
        );
      })}
      <StateBand states={states} x={x} y={bottom + 4} />
    </>
  );
});

/** Below the axis: thin while running, thick and in another shape otherwise. */
function StateBand({ states, x, y }: { states: readonly ChartSpan[]; x: (ms: number) => number; y: number }) {
  return states.map((state) => {
    const from = x(state.from);
    const width = Math.max(1.5, x(state.to) - from);
    const thin = state.tone === 'ok';
    return (
      <rect
        key={state.from}
        x={from}
        y={thin ? y + 2 : y}
        width={width}
        height={thin ? 2 : 6}
        fill={state.tone === 'neutral' ? 'none' : toneSolid(state.tone)}
        stroke={state.tone === 'neutral' ? toneSolid('neutral') : 'none'}
        strokeDasharray={state.tone === 'neutral' ? '3 2' : undefined}
      >
        <title>{state.label}</title>
      </rect>
    );
  });
}
