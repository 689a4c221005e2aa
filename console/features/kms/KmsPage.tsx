import { problemOf } from '../../api/problem';
import { DEFAULT_CHOICES } from '../../lib/attestation/expected';
import { chainById } from '../../lib/kms/chains';
import { KeyValue } from '../../ui/data/KeyValue';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { PinsPanel } from '../../ui/kmsPins/PinsPanel';
import { useKmsPins } from '../../ui/kmsPins/useKmsPins';
import { TextLink } from '../../ui/link';
import { useCvm, useCvmAddress, useCvmLink } from '../cvms/address';
import { useEvidence } from '../attestation/useEvidence';
import { useVerified } from '../attestation/useVerified';
import { ApprovalsPanel } from './contract/ApprovalsPanel';
import { ContractPanel } from './contract/ContractPanel';
import { envKeyFinding, providerFinding } from './findings';
import { FindingLine, Key, ReadersPanel, ServicePanel } from './KmsView';
import { readersOf } from './readers';
import { useEnvKey } from './useEnvKey';

/** The contract that guards the CVM's keys, its key management service with evidence, and who can access what. */
export function KmsPage() {
  const { id, app_id, kms_info } = useCvm();
  const { teamSlug } = useCvmAddress();
  const chain = kms_info?.chain_id == null ? undefined : chainById(kms_info.chain_id);
  return (
    <Sections>
      {chain && app_id && (
        <>
          <ApprovalsPanel teamSlug={teamSlug} app_id={app_id} chain={chain} />
          <ContractPanel teamSlug={teamSlug} app_id={app_id} cvm_id={id} />
        </>
      )}
      <ServicePanels />
    </Sections>
  );
}

function ServicePanels() {
  const cvm = useCvm();
  const { teamSlug } = useCvmAddress();
  const link = useCvmLink();
  const { data: answer, error, refetch } = useEvidence();
  const verified = useVerified(answer, DEFAULT_CHOICES);
  const { pins } = useKmsPins();
  const envKey = useEnvKey(teamSlug, answer?.kms ?? null, cvm.app_id ?? '', pins);
  const problem =
    problemOf(error, 'Couldn’t load the KMS', () => void refetch()) ??
    problemOf(verified.error, 'Couldn’t verify the evidence in this browser', () => void verified.refetch());
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
  const { simulated } = report;
  const provider = report.facts.key_provider;
  const keyProblem = problemOf(
    envKey.error,
    'Couldn’t load the environment key',
    () => void envKey.refetch(),
  );
  const sealed_to = cvm.kms_info?.encrypted_env_pubkey ?? null;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      {simulated && (
        <Notice tone="simulated" title="Local teepod, no hardware TEE.">
          Its KMS is a file on the teepod’s machine. Signatures are real but don’t protect against the
          machine’s operator.
        </Notice>
      )}
      <ServicePanel kms={kms} />
      <PinsPanel kms={kms ?? undefined} />
      {kms && (
        <Panel
          title="Environment key"
          subtitle="One X25519 key per app. Secrets are sealed to it in the browser."
        >
          {keyProblem ? (
            <ErrorNotice problem={keyProblem} />
          ) : envKey.data ? (
            <>
              <KeyValue
                facts={[
                  {
                    label: 'Current KMS key',
                    value: <Key value={envKey.data.public_key} what="environment key" />,
                    wide: true,
                  },
                  {
                    label: 'Secrets sealed to',
                    value: sealed_to ? <Key value={sealed_to} what="sealed key" /> : 'no sealed secrets',
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
        subtitle="The source of the guest’s disk key, from its event log."
        actions={<TextLink href={link('certificates')}>Evidence</TextLink>}
      >
        {provider && (
          <KeyValue
            facts={[
              { label: 'Kind', value: provider.name },
              { label: 'ID', value: <Key value={provider.id} what="key provider ID" />, wide: true },
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
