import { styled } from '@mui/material/styles';
import type { CvmEvidence } from '../../../../generated/api/types.gen';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { Notice } from '../../../ui/feedback/Notice';
import { TextLink } from '../../../ui/link';
import { space } from '../../../ui/theme';

const List = styled('div')({ display: 'grid', gap: space(3), margin: `${space(3)} 0` });

/** Why there is less evidence than there could be, and what to do about it. */
export function SourceNotices({ answer, settings }: { answer: CvmEvidence; settings: string }) {
  const { evidence, error, source, collateral_error, is_online, is_public } = answer;
  const simulated = evidence?.simulated === true || answer.trust === 'simulated';
  return (
    <List>
      {simulated && (
        <Notice tone="simulated" title="Local teepod, no hardware TEE.">
          Whoever runs this machine can see everything in the CVM. The checks below show how evidence is read;
          they prove nothing.
        </Notice>
      )}
      {source === 'kept' && (
        <Notice tone="attention" title="Of an earlier time.">
          {error} This is what the guest gave <RelativeTime at={answer.collected_at} />, judged as of then
          with the statements of that time. It says nothing about now.
        </Notice>
      )}
      {source === null && (
        <Notice tone="attention" title="No evidence.">
          {error} Nothing was kept of an earlier time either.
        </Notice>
      )}
      {is_online && error !== null && !simulated && (
        <Notice tone="attention" title="Less than there could be.">
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
        <Notice tone="attention" title="Intel’s statements about the chip.">
          {collateral_error}
        </Notice>
      )}
    </List>
  );
}
