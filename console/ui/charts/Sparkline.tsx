import styled from '@emotion/styled';
import { color } from '../theme';
import { sparkPath } from './sparkPath';

const Svg = styled('svg')({ display: 'block', overflow: 'visible', maxWidth: '100%' });

interface Props {
  /** Oldest first; null where nothing was measured: a gap, not a zero. */
  values: readonly (number | null)[];
  /** A description with unit and range for screen readers: "CPU, last hour, 12% now, at most 80%". */
  label: string;
  width?: number;
  height?: number;
  /** Value at the top edge; defaults to the largest value. */
  max?: number;
}

/** A small trend line beside a number, which has the exact value. */
export function Sparkline({ values, label, width = 120, height = 28, max }: Props) {
  const { line, area, end } = sparkPath(values, width, height, max);
  return (
    <Svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
    >
      <path d={area} fill={color.accent} opacity="0.12" />
      <path
        d={line}
        fill="none"
        stroke={color.accent}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
      {end && <circle cx={end.x} cy={end.y} r="2.25" fill={color.accent} />}
    </Svg>
  );
}
