import { useState } from 'react';
import { problemOf } from '../../api/problem';
import { DEFAULT_CHOICES, policyFrom } from '../../lib/attestation/expected';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { useCvmLink } from '../cvms/address';
import { ChainPanel } from './ChainPanel';
import { ChecksPanel } from './ChecksPanel';
import { gapsOf } from '../../lib/attestation/gaps';
import { GapsPanel } from './GapsPanel';
import { MeasurementsPanel } from './MeasurementsPanel';
import { PolicyPanel } from './PolicyPanel';
import { SourceNotices } from './SourceNotices';
import { OfflinePanel } from './OfflinePanel';
import { useEvidence } from './useEvidence';
import { useVerified } from './useVerified';
import { VerdictPanel } from './VerdictPanel';

/** A CVM's evidence, verified in this browser: the checks, what was trusted, and what wasn't verified. */
export function CertificatesPage() {
  const link = useCvmLink();
  const [choices, setChoices] = useState(DEFAULT_CHOICES);
  const { data: answer, error, refetch, isFetching } = useEvidence();
  const verified = useVerified(answer, choices);
  const problem = problemOf(error, 'Couldn’t load the evidence', () => void refetch());
  const failure = problemOf(
    verified.error,
    'Couldn’t verify the evidence in this browser',
    () => void verified.refetch(),
  );
  if (!answer || !verified.data)
    return problem || failure ? (
      <>
        {problem && <ErrorNotice problem={problem} />}
        {failure && <ErrorNotice problem={failure} />}
      </>
    ) : (
      <Sections>
        <CardSkeleton lines={4} />
        <Panel title="Checks">
          <CardSkeleton lines={12} />
        </Panel>
      </Sections>
    );
  const { report, chain, policy } = verified.data;
  // The file uses the current choices, even while their checks are still running.
  const chosen = { ...policyFrom(answer.expected, choices, policy.report_data), kms_roots: policy.kms_roots };
  return (
    <Sections>
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
      <GapsPanel gaps={gapsOf(answer, report, { expected_by: 'server' })} />
      <ChainPanel {...{ answer, chain }} />
      <MeasurementsPanel answer={answer} facts={report.facts} />
      <OfflinePanel answer={answer} policy={chosen} />
    </Sections>
  );
}
