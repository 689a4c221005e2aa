import { styled } from '@mui/material/styles';
import { useCallback } from 'react';
import type { DomainCheck, DomainDiagnosis, FoundRecord } from '../../../../generated/api/types.gen';
import { formatDuration } from '../../../lib/time';
import { useClock } from '../../../ui/data/clock';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import type { Glyph, Tone } from '../../../ui/feedback/status';
import { below, color, radius, space, type } from '../../../ui/theme';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';

const List = styled('ul')({ display: 'grid', gap: space(3) });
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '150px minmax(0, 1fr)',
  gap: `${space(1)} ${space(4)}`,
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Text = styled('p')({ ...type.small, maxWidth: '78ch', overflowWrap: 'anywhere' });
const Quiet = styled('p')({ ...type.caption, color: color.muted });
const Compare = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: space(3),
  marginTop: space(2),
  padding: space(3),
  borderRadius: radius.control,
  backgroundColor: color.sunken,
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Side = styled('div')({ minWidth: 0 });
const Head = styled('p')({ ...type.caption, color: color.muted, marginBottom: space(1) });
const Value = styled('code')({ ...type.mono, display: 'block', overflowWrap: 'anywhere' });

const TITLES: Record<DomainCheck['id'], string> = {
  gateway: 'Gateway',
  app: 'App record (TXT)',
  address: 'Address',
  issuer: 'Authority (CAA)',
};
const LOOKS: Record<DomainCheck['state'], { tone: Tone; glyph: Glyph; word: string }> = {
  passed: { tone: 'ok', glyph: 'check', word: 'right' },
  warning: { tone: 'attention', glyph: 'warning', word: 'worth a look' },
  failed: { tone: 'error', glyph: 'cross', word: 'wrong' },
  unknown: { tone: 'neutral', glyph: 'question', word: 'not known' },
  skipped: { tone: 'neutral', glyph: 'dot', word: 'not looked at' },
};

/** What DNS says, the wrong record beside the right one. */
export function DomainChecks({ diagnosis }: { diagnosis: DomainDiagnosis }) {
  // Of a gateway that works there is nothing to say.
  const checks = diagnosis.checks.filter(({ id, state }) => id !== 'gateway' || state !== 'passed');
  return (
    <List aria-label="What DNS says">
      {checks.map((check) => (
        <Item key={check.id}>
          <div>
            <ToneChip quiet tone={LOOKS[check.state].tone} glyph={LOOKS[check.state].glyph}>
              {TITLES[check.id]}
              <VisuallyHidden>: {LOOKS[check.state].word}</VisuallyHidden>
            </ToneChip>
          </div>
          <div>
            <Text>
              {check.message} {check.what_to_do}
            </Text>
            {(check.state === 'failed' || check.state === 'warning') && check.wanted.length > 0 && (
              <Compare>
                <Side>
                  <Head>Wanted</Head>
                  {check.wanted.map((value) => (
                    <Value key={value}>{value}</Value>
                  ))}
                </Side>
                <Side>
                  <Head>Found</Head>
                  {check.found.length === 0 ? <Value>nothing</Value> : check.found.map(foundLine)}
                </Side>
              </Compare>
            )}
            {check.remembered_until !== null && <Remembered until={check.remembered_until} />}
          </div>
        </Item>
      ))}
    </List>
  );
}

const foundLine = ({ type: kind, name, value, ttl, right }: FoundRecord) => (
  <Value
    key={`${kind} ${name} ${value}`}
    style={{ color: right ? color.okText : color.errorText }}
    title={`${name}, remembered for ${formatDuration(ttl)}`}
  >
    {right ? '✓' : '✗'} {kind} {value === '' ? '(empty)' : value}
    <VisuallyHidden>{right ? ', right' : ', wrong'}</VisuallyHidden>
  </Value>
);

/** A corrected record is not seen at once: resolvers remember the present one. */
function Remembered({ until }: { until: string }) {
  const end = new Date(until).getTime();
  const over = useClock(useCallback((now: number) => (now > end ? 'over' : ''), [end]));
  return over ? null : (
    <Quiet style={{ marginTop: 4 }}>
      Resolvers may go on with this answer until it runs out, <RelativeTime at={until} />, even if it is
      corrected now.
    </Quiet>
  );
}
