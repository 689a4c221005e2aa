import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { commitApproval, withdrawApproval } from '../../../../generated/api/sdk.gen';
import type { Approval } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { useReloadLive } from '../../../api/useReloadLive';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { contractCall, type ContractCall } from '../../../lib/kms/contractCalls';
import { appPath } from '../../../lib/paths';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { CopyId } from '../../../ui/data/CopyId';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { AllowCalls } from './AllowCalls';
import { approvalTexts } from './approvalTexts';
import { useApprovals, useContract } from './queries';
import { unreadApproval } from './unread';
import { useOwnerFee } from './useOwnerFee';

const Stack = styled('div')({ display: 'grid', gap: space(4) });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(2) });
const Reason = styled('span')({ ...type.small, color: color.muted });

/** Changes that wait for the contract's approval. They are kept for 14 days, so users can leave the page. */
export function ApprovalsPanel({
  teamSlug,
  app_id,
  chain,
}: {
  teamSlug: string;
  app_id: string;
  chain: ChainDefinition;
}) {
  const { data: approvals, error, refetch } = useApprovals(teamSlug, app_id);
  const problem = problemOf(error, 'Couldn’t load pending changes', () => void refetch());
  if (!approvals) return problem && <ErrorNotice problem={problem} />;
  return approvals.map((approval) => (
    <ApprovalPanel
      key={approval.approval_id}
      teamSlug={teamSlug}
      app_id={app_id}
      chain={chain}
      read={approval}
      unread={problem?.message ?? null}
    />
  ));
}

function ApprovalPanel({
  teamSlug,
  app_id,
  chain,
  read,
  unread,
}: {
  teamSlug: string;
  app_id: string;
  chain: ChainDefinition;
  read: Approval;
  /** Why the last refresh failed; null if it succeeded. */
  unread: string | null;
}) {
  const approval = unread === null ? read : unreadApproval(read, unread);
  const may = useMay('cvms.write', teamSlug);
  const path = { app_id, approval_id: approval.approval_id };
  const onSettled = useReloadLive(teamSlug);
  const commit = useMutation({
    mutationFn: () => commitApproval({ ...inTeam(teamSlug), path, body: {}, throwOnError: true }),
    onSettled,
  });
  const withdraw = useMutation({
    mutationFn: () => withdrawApproval({ ...inTeam(teamSlug), path, throwOnError: true }),
    onSettled,
  });
  const problem =
    problemOf(commit.error, 'Couldn’t commit the change') ??
    problemOf(withdraw.error, 'Couldn’t withdraw the change');
  const policy = useContract(teamSlug, app_id).data?.policy;
  const isFinal = policy?.renounced === true;
  const isGone = policy?.code_present === false;
  const { name, title, lead, effect } = approvalTexts(
    approval,
    isFinal ? 'renounced' : isGone ? 'gone' : 'there',
  );
  const missing = useMissingCalls(read);
  const estimate = useOwnerFee(teamSlug, app_id, chain);
  return (
    <Panel title={title} subtitle={lead}>
      <Stack>
        <ApprovalFacts {...{ teamSlug, app_id, approval }} />
        {approval.overtaken ? (
          <Notice tone="attention">{approval.error}</Notice>
        ) : approval.is_allowed ? (
          <Notice tone="ok" title="The contract allows it now.">
            {effect}
          </Notice>
        ) : approval.is_allowed === null ? (
          <Notice tone="attention" title="The network can’t be read.">
            {approval.error}
          </Notice>
        ) : isGone ? (
          <Notice tone="error" title={`The contract isn’t on ${chain.name} anymore.`}>
            A reorganization may have undone its deployment. Send that transaction again.
          </Notice>
        ) : isFinal ? (
          <Notice tone="error" title="The contract doesn’t allow it.">
            {refusedBecause(approval.error)}
          </Notice>
        ) : (
          <Notice tone="progress" title="Not allowed yet.">
            {refusedBecause(approval.error)} This page checks again every few seconds.
          </Notice>
        )}
        {!approval.is_allowed && !approval.overtaken && !isFinal && !isGone && (
          <AllowCalls calls={missing} contract={`0x${app_id}`} {...{ chain, name, estimate }} />
        )}
        {problem && <ErrorNotice problem={problem} />}
        {may.allowed && (
          <Actions>
            {!approval.overtaken && (
              <PendingButton
                variant="contained"
                pending={commit.isPending}
                disabled={!approval.is_allowed}
                onClick={() => commit.mutate()}
              >
                Commit
              </PendingButton>
            )}
            <PendingButton pending={withdraw.isPending} onClick={() => withdraw.mutate()}>
              Withdraw
            </PendingButton>
            {!approval.is_allowed && !approval.overtaken && !isFinal && (
              <Reason>
                {approval.is_allowed === null
                  ? 'It can be committed once the contract can be read.'
                  : 'The contract must allow it before you can commit.'}
              </Reason>
            )}
          </Actions>
        )}
      </Stack>
    </Panel>
  );
}

function ApprovalFacts({
  teamSlug,
  app_id,
  approval,
}: {
  teamSlug: string;
  app_id: string;
  approval: Approval;
}) {
  const { revision, base_revision, cvm } = approval;
  return (
    <KeyValue
      facts={[
        {
          label: 'Compose hash',
          value: <CopyId id={approval.compose_hash} what="compose hash" />,
          wide: true,
        },
        { label: 'CVM', value: cvm?.name ?? '—' },
        {
          label: 'Changes',
          value: (
            <TextLink
              href={`${appPath(teamSlug, app_id, 'revisions')}?from=${base_revision.revision_id}&to=${revision.revision_id}`}
            >
              Compare with revision {base_revision.revision_number}
            </TextLink>
          ),
        },
        { label: 'Requested by', value: approval.requested_by?.username ?? '—' },
        { label: 'Requested', value: <RelativeTime at={approval.created_at} /> },
        { label: 'Expires', value: <RelativeTime at={approval.expires_at} /> },
      ]}
    />
  );
}

/** A contract may give no reason, or one that ends with a period. */
const refusedBecause = (reason: string | null): string =>
  reason === null || reason === ''
    ? 'The contract gives no reason.'
    : `The contract says: ${reason.replace(/\.+$/, '')}.`;

/** Returns the transactions that the change still lacks, as far as known. */
function useMissingCalls(approval: Approval): readonly ContractCall[] {
  const [last, setLast] = useState<{ approval: Approval; calls: readonly ContractCall[] }>({
    approval,
    calls: missingCalls(approval),
  });
  if (last.approval === approval) return last.calls;
  const calls = callsAfter(last.calls, approval);
  setLast({ approval, calls });
  return calls;
}

/** Keeps transactions if a refresh fails: one may already be in the owner's wallet. */
export const callsAfter = (before: readonly ContractCall[], approval: Approval): readonly ContractCall[] =>
  approval.is_allowed === null ? before : missingCalls(approval);

/** Returns the transactions for what isn't allowed yet. */
export function missingCalls({
  compose_hash,
  compose_hash_allowed,
  devices,
}: Pick<Approval, 'compose_hash' | 'compose_hash_allowed' | 'devices'>): ContractCall[] {
  return [
    ...(compose_hash_allowed === false ? [contractCall('addComposeHash', compose_hash)] : []),
    ...devices.flatMap(({ device_id, allowed }) =>
      allowed === false && device_id !== '' ? [contractCall('addDevice', device_id)] : [],
    ),
  ];
}
