import { keyframes } from '@emotion/react';
import styled from '@emotion/styled';
import { VisuallyHidden } from '../VisuallyHidden';
import { color, radius, space } from '../theme';

/*
 * Skeletons have the size of the content that replaces them, so that nothing moves. They appear after 200 ms, so
 * that faster responses cause no gray flash.
 */

const appear = keyframes({ from: { opacity: 0 } });
const breathe = keyframes({ '50%': { opacity: 0.55 } });

export const Bar = styled('span', { shouldForwardProp: (prop) => prop !== 'w' && prop !== 'h' })<{
  w?: number | string;
  h?: number;
}>(({ w = '100%', h = 12 }) => ({
  display: 'block',
  width: w,
  maxWidth: '100%',
  height: h,
  borderRadius: radius.small,
  backgroundColor: color.neutralSoft,
  animation: `${breathe} 1.6s ease-in-out infinite`,
}));

export const Delayed = styled('div')({ animation: `${appear} 120ms 200ms both` });

const Card = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(4),
  display: 'grid',
  gap: space(3),
});
const Head = styled('div')({ display: 'grid', gap: space(2), paddingBottom: space(5) });
const Rows = styled('div')({ display: 'grid' });
const Row = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: space(6),
  height: 41,
  borderBottom: `1px solid ${color.line}`,
});
const Cards = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
  gap: space(4),
  marginBottom: space(6),
});

const widths = ['34%', '26%', '41%', '30%', '37%', '22%'];

export function CardSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <Card aria-hidden>
      {Array.from({ length: lines }, (_, i) => (
        <Bar key={i} w={widths[(i * 2 + 1) % widths.length]!} />
      ))}
    </Card>
  );
}

/** A public page's card, as wide as the card that replaces it. */
export const PublicCardSkeleton = ({ lines, label = 'Loading' }: { lines: number; label?: string }) => (
  <Delayed role="status" aria-label={label} style={{ width: '100%', maxWidth: 400 }}>
    <CardSkeleton lines={lines} />
  </Delayed>
);

const SilentRows = ({ rows }: { rows: number }) => (
  <Rows aria-hidden>
    {Array.from({ length: rows }, (_, i) => (
      <Row key={i}>
        <Bar w={widths[i % widths.length]!} />
        <Bar w="12%" />
        <Bar w="18%" />
      </Row>
    ))}
  </Rows>
);

/** A table or list while loading. */
export const RowsSkeleton = ({ label = 'Loading', rows = 8 }: { label?: string; rows?: number }) => (
  <div role="status">
    <VisuallyHidden>{label}</VisuallyHidden>
    <SilentRows rows={rows} />
  </div>
);

/** A whole page while loading: header, numbers, a table. */
export function PageSkeleton({
  label = 'Loading',
  cards = 0,
  rows = 8,
  part = false,
}: {
  label?: string;
  cards?: number;
  rows?: number;
  /** Whether it is only part of a page, below the page's heading. */
  part?: boolean;
}) {
  return (
    <Delayed role="status">
      <VisuallyHidden as={part ? 'p' : 'h1'}>{label}</VisuallyHidden>
      {!part && (
        <Head aria-hidden>
          <Bar w={220} h={20} />
          <Bar w={320} />
        </Head>
      )}
      {cards > 0 && (
        <Cards>
          {Array.from({ length: cards }, (_, i) => (
            <CardSkeleton key={i} />
          ))}
        </Cards>
      )}
      {rows > 0 && <SilentRows rows={rows} />}
    </Delayed>
  );
}
