import styled from '@emotion/styled';
import { useCallback } from 'react';
import type { DomainCheck, DomainDiagnosis, FoundRecord } from '../../../generated/api/types.gen';
import { formatDuration } from '../../lib/time/time';
import { curly } from '../../lib/texts/curly';
import { useClock } from '../../ui/data/clock';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ToneChip } from '../../ui/feedback/ToneChip';
import type { Glyph, Tone } from '../../ui/feedback/status';
import { below, color, radius, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';

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
  passed: { tone: 'ok', glyph: 'check', word: 'correct' },
  warning: { tone: 'attention', glyph: 'warning', word: 'check recommended' },
  failed: { tone: 'error', glyph: 'cross', word: 'incorrect' },
  unknown: { tone: 'neutral', glyph: 'question', word: 'unknown' },
  skipped: { tone: 'neutral', glyph: 'dot', word: 'not checked' },
};

/** The DNS findings, with wrong records next to the expected ones. */
export function DomainChecks({ diagnosis }: { diagnosis: DomainDiagnosis }) {
  // A working gateway needs no row.
  const checks = diagnosis.checks.filter(({ id, state }) => id !== 'gateway' || state !== 'passed');
  return (
    <List aria-label="DNS records found">
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
              {curly(check.message)} {curly(check.what_to_do ?? '')}
            </Text>
            {(check.state === 'failed' || check.state === 'warning') && check.wanted.length > 0 && (
              <Compare>
                <Side>
                  <Head>Expected</Head>
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
    title={`${name}, cached for ${formatDuration(ttl)}`}
  >
    {right ? '✓' : '✗'} {kind} {value === '' ? '(empty)' : value}
    <VisuallyHidden>{right ? ', correct' : ', incorrect'}</VisuallyHidden>
  </Value>
);

/** Resolvers cache records, so a fix isn't visible immediately. */
function Remembered({ until }: { until: string }) {
  const end = new Date(until).getTime();
  const over = useClock(useCallback((now: number) => (now > end ? 'over' : ''), [end]));
  return over ? null : (
    <Quiet style={{ marginTop: 4 }}>
      Resolvers may cache this record until it expires, <RelativeTime at={until} inWords />, even after you
      fix it.
    </Quiet>
  );
}
