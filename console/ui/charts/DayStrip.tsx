import styled from '@emotion/styled';
import { toneSolid } from '../feedback/ToneChip';
import { color } from '../theme';

const Svg = styled('svg')({ display: 'block', maxWidth: '100%' });

const BAR = 3;
const STEP = 5;
const HEIGHT = 24;

/** From this share of a day on, it counts as up. */
export const UP_AT = 0.999;
const MOSTLY_UP_AT = 0.95;

/** Heights differ, too, so that color isn't the only sign. */
function look(share: number | null) {
  if (share === null) return { height: 2, fill: color.neutralSolid };
  if (share >= UP_AT) return { height: HEIGHT, fill: toneSolid('ok') };
  if (share >= MOSTLY_UP_AT) return { height: (HEIGHT * 2) / 3, fill: toneSolid('attention') };
  return { height: HEIGHT / 3, fill: toneSolid('error') };
}

interface Props {
  /** Oldest first. */
  days: readonly {
    /** From 0 to 1; null where nothing was measured. */
    share: number | null;
    /** Shown on hover: "Nov 28: 99.93%". */
    title: string;
  }[];
  /** Describes the days for screen readers. */
  label: string;
}

/** A bar per day beside a number, which has the exact value: a short bar is a bad day, a dash an unmeasured one. */
export function DayStrip({ days, label }: Props) {
  const width = days.length * STEP - (STEP - BAR);
  return (
    <Svg role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
      {days.map(({ share, title }, i) => {
        const { height, fill } = look(share);
        return (
          // The whole column reacts to the pointer.
          <g key={i}>
            <title>{title}</title>
            <rect x={i * STEP - 1} width={STEP} height={HEIGHT} fill="transparent" />
            <rect x={i * STEP} y={HEIGHT - height} width={BAR} height={height} rx="1" fill={fill} />
          </g>
        );
      })}
    </Svg>
  );
}
