import styled from '@emotion/styled';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Notice } from '../../ui/feedback/Notice';
import { TextLink } from '../../ui/link';
import { space } from '../../ui/theme';

const List = styled('div')({ display: 'grid', gap: space(3) });

/** Why evidence is incomplete, and what to do about it. */
export function SourceNotices({ answer, settings }: { answer: CvmEvidence; settings: string }) {
  const { evidence, error, source, collateral_error, is_online, is_public } = answer;
  const simulated = evidence?.simulated === true || answer.trust === 'simulated';
  return (
    <List>
      {simulated && (
        <Notice tone="simulated" title="Local teepod, no hardware TEE.">
          The machine’s operator can read everything in the CVM. The checks below are simulated and prove
          nothing.
        </Notice>
      )}
      {source === 'kept' && (
        <Notice tone="attention" title="Saved evidence.">
          {error} The guest provided this <RelativeTime at={answer.collected_at} inWords />. It was verified
          as of that time and doesn’t cover the current state.
        </Notice>
      )}
      {source === null && (
        <Notice tone="attention" title="No evidence.">
          {error} No earlier evidence was saved.
        </Notice>
      )}
      {is_online && error !== null && !simulated && (
        <Notice tone="attention" title="Incomplete evidence.">
          {error}
          {!is_public && (
            <>
              {' '}
              <TextLink href={settings}>Visibility</TextLink> changes that.
            </>
          )}
        </Notice>
      )}
      {collateral_error !== null && (
        <Notice tone="attention" title="Intel collateral for the chip.">
          {collateral_error}
        </Notice>
      )}
    </List>
  );
}
