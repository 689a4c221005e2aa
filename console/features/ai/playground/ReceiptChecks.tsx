import styled from '@emotion/styled';
import type { AciCheck } from '../../../lib/ai/verifyAci';
import { lookOf } from '../../../ui/attestation/checkDisplay';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { color, space, type } from '../../../ui/theme';

const Root = styled('details')({ ...type.small, '& > summary': { cursor: 'pointer', color: color.muted } });
const List = styled('ul')({
  display: 'grid',
  gap: space(2),
  marginTop: space(2),
  padding: 0,
  listStyle: 'none',
});
const Item = styled('li')({ display: 'grid', gap: space(0.5) });
const Name = styled('span')({ display: 'inline-flex', gap: space(2), alignItems: 'center', fontWeight: 550 });

/** The browser's checks of an answer's receipt. */
export function ReceiptChecks({ checks }: { checks: readonly AciCheck[] }) {
  const failures = checks.filter(({ state }) => state === 'failed');
  // Without a TEE, the signature proves only that nothing changed in transit.
  const isOutsideTee = failures.length > 0 && failures.every(({ id }) => id === 'tee');
  const summary = isOutsideTee
    ? 'Receipt matches this response. The gateway doesn’t run in a TEE.'
    : failures.length > 0
      ? 'Receipt verification failed.'
      : 'Receipt matches this response.';
  return (
    <Root>
      <summary>{summary}</summary>
      <List aria-label="Receipt checks">
        {checks.map((check) => {
          const look = lookOf(check.state, isOutsideTee);
          return (
            <Item key={check.id}>
              <Name>
                <ToneChip quiet tone={look.tone} glyph={look.glyph}>
                  {check.state === 'passed' ? 'Passed' : look.word}
                </ToneChip>
                {check.title}
              </Name>
              {check.detail}
            </Item>
          );
        })}
      </List>
    </Root>
  );
}
