import styled from '@emotion/styled';
import { Bar } from '../../ui/feedback/Skeletons';
import { color, motion, space, type } from '../../ui/theme';

/** Notices, charts and notes. */
export const ChartStack = styled('div')({ display: 'grid', gap: space(5) });
export const ChartNote = styled('p')({ ...type.small, color: color.muted });

export const ZOOM_HINT = 'Drag across a chart to zoom in; on a touchscreen, press and hold first.';

/** Two columns where there is room. */
export const ChartGrid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
  gap: `${space(6)} ${space(8)}`,
  alignItems: 'start',
  transition: `opacity ${motion.fast}`,
  '&[aria-busy="true"]': { opacity: 0.55 },
});

/** Beside the heading; below it on phones, where it would be squeezed. */
export const ChartTools = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(2),
  '@media (max-width: 640px)': { flexBasis: '100%' },
});

const Blank = styled('div')({ display: 'grid', gap: space(2), height: 268, alignContent: 'start' });

/** Placeholder in the size of the charts. */
export function ChartsSkeleton({ count }: { count: number }) {
  return (
    <ChartGrid role="status" aria-label="Loading charts">
      {Array.from({ length: count }, (_, i) => (
        <Blank key={i} aria-hidden>
          <Bar w="40%" h={40} />
          <Bar w="100%" h={196} />
        </Blank>
      ))}
    </ChartGrid>
  );
}
