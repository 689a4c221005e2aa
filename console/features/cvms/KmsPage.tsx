import { problemOf } from '../../api/problem';
import { DEFAULT_CHOICES } from '../../lib/attestation/expected';
import { KeyValue } from '../../ui/data/KeyValue';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { useCvm, useCvmAddress, useCvmLink } from './address';
import { useEvidence } from './certificates/useEvidence';
import { useVerified } from './certificates/useVerified';
import { envKeyFinding, providerFinding } from './kms/findings';
import { FindingLine, Key, ReadersPanel, ServicePanel } from './kms/KmsView';
import { readersOf } from './kms/readers';
import { useEnvKey } from './kms/useEnvKey';

/** Who keeps its keys, how one knows, and who could read what with them. */
export function KmsPage() {
  const cvm = useCvm();
  const { teamSlug } = useCvmAddress();
  const link = useCvmLink();
  const { data: answer, error, refetch } = useEvidence();
  const verified = useVerified(answer, DEFAULT_CHOICES);
  const envKey = useEnvKey(teamSlug, answer?.kms ?? null, cvm.app_id ?? '');
  const problem =
    problemOf(error, 'The KMS could not be read', () => void refetch()) ??
    problemOf(verified.error, 'It could not be verified here', () => void verified.refetch());
  if (!answer || !verified.data)
    return problem ? (
      <ErrorNotice problem={problem} />
    ) : (
      <>
        <CardSkeleton lines={6} />
        <Panel title="Key provider">
          <CardSkeleton lines={3} />
        </Panel>
      </>
    );
  const { report } = verified.data;
  const { kms } = answer;
  const simulated = report.state === 'simulated';
  const provider = report.facts.key_provider;
  const keyProblem = problemOf(
    envKey.error,
    'The environment key could not be read',
    () => void envKey.refetch(),
  );
  const sealed_to = cvm.kms_info?.encrypted_env_pubkey ?? null;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      {simulated && (
        <Notice tone="simulated" title="Local teepod, no hardware TEE.">
          Its KMS is a file on this machine. Signatures are real, and protect nothing from whoever runs it.
        </Notice>
      )}
      <ServicePanel kms={kms} />
      {kms && (
        <Panel
          title="Environment key"
          subtitle="X25519, one per app. Secrets are sealed to it in the browser."
        >
          {keyProblem ? (
            <ErrorNotice problem={keyProblem} />
          ) : envKey.data ? (
            <>
              <KeyValue
                facts={[
                  {
                    label: 'Key the KMS gives now',
                    value: <Key value={envKey.data.public_key} what="environment key" />,
                    wide: true,
                  },
                  {
                    label: 'Key its secrets were sealed to',
                    value: sealed_to ? <Key value={sealed_to} what="sealed key" /> : 'no secrets were sealed',
                    wide: true,
                  },
                ]}
              />
              <FindingLine finding={envKeyFinding(envKey.data, sealed_to)} />
            </>
          ) : (
            <CardSkeleton lines={2} />
          )}
        </Panel>
      )}
      <Panel
        title="Key provider"
        subtitle="Who gave the guest the key of its disk, as its event log says."
        actions={<TextLink href={link('certificates')}>Evidence</TextLink>}
      >
        {provider && (
          <KeyValue
            facts={[
              { label: 'Kind', value: provider.name },
              { label: 'Id', value: <Key value={provider.id} what="key provider id" />, wide: true },
            ]}
          />
        )}
        <FindingLine finding={providerFinding(answer, report)} />
      </Panel>
      <ReadersPanel
        readers={readersOf({
          kms,
          simulated,
          provider: provider?.name ?? null,
          public_logs: cvm.public_logs,
          public_tcbinfo: cvm.public_tcbinfo,
        })}
      />
    </>
  );
}
