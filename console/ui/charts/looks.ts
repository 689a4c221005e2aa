import { color } from '../theme';

/** Style of one of several lines: distinguished by dashes and mark as well as by color. */
export interface LineLook {
  stroke: string;
  dash: string;
  mark: 'circle' | 'square' | 'triangle' | 'diamond' | 'cross';
}

const STROKES = [
  color.accent,
  color.progressSolid,
  color.attentionSolid,
  color.simulatedSolid,
  color.errorSolid,
  color.neutralSolid,
] as const;
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '4 2 1 2'] as const;
const MARKS = ['circle', 'square', 'triangle', 'diamond', 'cross'] as const;

/** 6 colors and 5 dashes: 30 distinct lines. */
export const lineLook = (index: number): LineLook => ({
  stroke: STROKES[index % STROKES.length]!,
  dash: DASHES[index % DASHES.length]!,
  mark: MARKS[index % MARKS.length]!,
});

/** Style of a previous period's line: behind the others, with a dash that none of them uses. */
export const previousLook = { stroke: color.control, dash: '5 5' } as const;

/** Outline of a mark around the origin, 8 px wide. */
export const markPath: Readonly<Record<LineLook['mark'], string>> = {
  circle: 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z',
  square: 'M-3.2-3.2h6.4v6.4h-6.4Z',
  triangle: 'M0-4L4 3.4H-4Z',
  diamond: 'M0-4.4L4.4 0L0 4.4L-4.4 0Z',
  cross: 'M-3.5-1.2h2.3v-2.3h2.4v2.3h2.3v2.4h-2.3v2.3h-2.4v-2.3h-2.3Z',
};
