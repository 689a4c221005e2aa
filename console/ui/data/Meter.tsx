import styled from '@emotion/styled';
import { toneSolid } from '../feedback/ToneChip';
import type { Tone } from '../feedback/status';
import { color, space, tabular, type } from '../theme';
import { count } from '../../lib/texts/count';

const Box = styled('div')({ display: 'grid', gap: space(1), minWidth: 0 });
const Head = styled('div')({
  ...type.small,
  display: 'flex',
  justifyContent: 'space-between',
  gap: space(3),
});
const Figure = styled('span')({ ...tabular, color: color.muted, whiteSpace: 'nowrap' });
const Track = styled('div')({
  display: 'flex',
  gap: 1,
  height: 6,
  borderRadius: 3,
  backgroundColor: color.neutralSoft,
  overflow: 'hidden',
});
const Fill = styled('span')({ height: '100%', minWidth: 2 });

/** Shares of the total from which usage needs attention, and from which it counts as full. */
const ATTENTION_AT = 0.8;
const ERROR_AT = 0.95;

const toneOf = (load: number, attentionAt = ATTENTION_AT, errorAt = ERROR_AT): Tone =>
  load >= errorAt ? 'error' : load >= attentionAt ? 'attention' : 'ok';

const SmallTrack = styled(Track)({ height: 3, width: '100%' });

/** A thin bar without text, shown below the numbers. */
export function MiniBar({ used, total }: { used: number; total: number }) {
  const load = total > 0 ? Math.min(1, used / total) : 0;
  const tone = toneOf(load);
  return (
    <SmallTrack aria-hidden>
      {used > 0 && (
        <Fill
          style={{
            width: `${load * 100}%`,
            backgroundColor: tone === 'ok' ? color.accent : toneSolid(tone),
          }}
        />
      )}
    </SmallTrack>
  );
}

interface Props {
  label: string;
  used: number;
  total: number;
  unit: string;
  /** Shown instead of the amounts, if they have different units: "6 GB of 7.6 TB". */
  figures?: string;
  /** Reserved but not yet used; drawn after `used`. */
  reserved?: number;
  attentionAt?: number;
  errorAt?: number;
}

/** Usage as numbers and as a bar; the numbers are authoritative. */
export function CapacityBar({
  label,
  used,
  total,
  unit,
  figures = `${count(used)} of ${count(total)} ${unit}`,
  reserved = 0,
  attentionAt,
  errorAt,
}: Props) {
  const share = (n: number) => (total > 0 ? Math.min(1, n / total) : 0);
  const load = share(used + reserved);
  const tone = toneOf(load, attentionAt, errorAt);
  const text = `${figures}${reserved > 0 ? `, ${count(reserved)} reserved` : ''}`;
  return (
    <Box>
      <Head>
        <span>{label}</span>
        <Figure>{text}</Figure>
      </Head>
      <Track
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={used}
        aria-valuetext={text}
      >
        {used > 0 && (
          <Fill
            style={{
              width: `${share(used) * 100}%`,
              backgroundColor: tone === 'ok' ? color.accent : toneSolid(tone),
            }}
          />
        )}
        {reserved > 0 && (
          <Fill style={{ width: `${share(reserved) * 100}%`, backgroundColor: color.neutralSolid }} />
        )}
      </Track>
    </Box>
  );
}
