import styled from '@emotion/styled';
import type { NetworkCheck } from '../../../generated/api/types.gen';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { ToneChip } from '../../ui/feedback/ToneChip';
import type { Glyph, Tone } from '../../ui/feedback/status';
import { below, color, radius, space, tabular, type } from '../../ui/theme';
import type { Tried } from './types';
import { curly } from '../../lib/texts/curly';

const Box = styled('div')({
  display: 'grid',
  gap: space(2),
  padding: `${space(2.5)} ${space(3)}`,
  marginTop: space(1),
  borderRadius: radius.control,
  backgroundColor: color.sunken,
});
const Steps = styled('ol')({ display: 'grid', gap: space(1) });
const Step = styled('li')({
  ...type.small,
  display: 'grid',
  gridTemplateColumns: '92px 64px minmax(0, 1fr)',
  gap: space(2),
  alignItems: 'baseline',
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr) 64px' },
});
const Ms = styled('span')({ ...tabular, color: color.muted, textAlign: 'right' });
const Detail = styled('span')({ overflowWrap: 'anywhere', [below.phone]: { gridColumn: '1 / -1' } });
const Text = styled('p')({ ...type.small, maxWidth: '72ch', overflowWrap: 'anywhere' });

const NAMES = { dns: 'DNS', tcp: 'Connection', tls: 'TLS', http: 'HTTP' };
const LOOKS: Record<NetworkCheck['steps'][number]['state'], { tone: Tone; glyph: Glyph }> = {
  passed: { tone: 'ok', glyph: 'check' },
  warning: { tone: 'attention', glyph: 'warning' },
  failed: { tone: 'error', glyph: 'cross' },
  skipped: { tone: 'neutral', glyph: 'dot' },
};

/** Every step with its time, including those not reached, and the conclusion. */
export function CheckResult({ tried }: { tried: Tried | undefined }) {
  if (!tried) return null;
  const { result, problem, fromVerdict = false } = tried;
  return (
    <div role="status">
      {problem && !fromVerdict && <ErrorNotice problem={problem} />}
      {result && (
        <Box>
          <Text>
            <strong>{curly(result.summary)}</strong> {curly(result.what_to_do ?? '')} Tested from this server{' '}
            <RelativeTime at={result.checked_at} inWords />.
          </Text>
          <Steps aria-label={`Connection steps for ${result.url}`}>
            {result.steps.map(({ name, state, ms, detail }) => (
              <Step key={name}>
                <ToneChip quiet {...LOOKS[state]}>
                  {NAMES[name]}
                </ToneChip>
                <Ms>{ms === null ? '—' : `${ms} ms`}</Ms>
                <Detail>{detail}</Detail>
              </Step>
            ))}
          </Steps>
        </Box>
      )}
    </div>
  );
}
