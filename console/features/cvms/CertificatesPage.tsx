import { useState } from 'react';
import { problemOf } from '../../api/problem';
import { DEFAULT_CHOICES } from '../../lib/attestation/expected';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { useCvmLink } from './address';
import { ChainPanel } from './certificates/ChainPanel';
import { ChecksPanel } from './certificates/ChecksPanel';
import { gapsOf } from './certificates/gaps';
import { GapsPanel } from './certificates/GapsPanel';
import { MeasurementsPanel } from './certificates/MeasurementsPanel';
import { PolicyPanel } from './certificates/PolicyPanel';
import { SourceNotices } from './certificates/SourceNotices';
import { TakeAwayPanel } from './certificates/TakeAwayPanel';
import { useEvidence } from './certificates/useEvidence';
import { useVerified } from './certificates/useVerified';
import { VerdictPanel } from './certificates/VerdictPanel';

/** The evidence a CVM gives, verified in this browser: what was checked, what was trusted, what was not. */
export function CertificatesPage() {
  const link = useCvmLink();
  const [choices, setChoices] = useState(DEFAULT_CHOICES);
  const { data: answer, error, refetch, isFetching } = useEvidence();
  const verified = useVerified(answer, choices);
  const problem = problemOf(error, 'The evidence could not be read', () => void refetch());
  const failure = problemOf(verified.error, 'It could not be verified here', () => void verified.refetch());
  if (!answer || !verified.data)
    return problem || failure ? (
      <>
        {problem && <ErrorNotice problem={problem} />}
        {failure && <ErrorNotice problem={failure} />}
      </>
    ) : (
      <>
        <CardSkeleton lines={4} />
        <Panel title="Checks">
          <CardSkeleton lines={12} />
        </Panel>
      </>
    );
  const { report, chain, policy } = verified.data;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      {failure && <ErrorNotice problem={failure} />}
      <VerdictPanel
        {...{ answer, report }}
        busy={isFetching || verified.isFetching}
        onAgain={() => void refetch()}
      />
      <SourceNotices answer={answer} settings={link('settings')} />
      <ChecksPanel report={report} />
      <PolicyPanel {...{ answer, policy, choices }} onChoose={setChoices} />
      <GapsPanel gaps={gapsOf(answer, report)} />
      <ChainPanel {...{ answer, chain }} />
      <MeasurementsPanel answer={answer} facts={report.facts} />
      <TakeAwayPanel {...{ answer, policy }} />
    </>
  );
}
