import { styled } from '@mui/material/styles';
import { Bar } from '../../ui/feedback/Skeletons';
import { space } from '../../ui/theme';

/** Two beside each other where there is room. */
export const ChartGrid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
  gap: `${space(6)} ${space(8)}`,
  alignItems: 'start',
  transition: 'opacity 120ms',
  '&[aria-busy="true"]': { opacity: 0.55 },
});

/** Beside the heading; on a phone under it, which would be squeezed otherwise. */
export const ChartTools = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(2),
  '@media (max-width: 640px)': { flexBasis: '100%' },
});

const Blank = styled('div')({ display: 'grid', gap: space(2), height: 260, alignContent: 'start' });

/** As large as the charts that come. */
export function ChartsSkeleton({ count }: { count: number }) {
  return (
    <ChartGrid role="status" aria-label="Loading the charts">
      {Array.from({ length: count }, (_, i) => (
        <Blank key={i} aria-hidden>
          <Bar w="40%" h={40} />
          <Bar w="100%" h={188} />
        </Blank>
      ))}
    </ChartGrid>
  );
}
