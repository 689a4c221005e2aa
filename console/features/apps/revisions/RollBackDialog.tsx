import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { redeployAppRevisionMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { AppRevision, Cvm } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { useReloadLive } from '../../../api/useReloadLive';
import { problemOf } from '../../../api/problem';
import { useContractWait } from '../../../api/contracts/useContractWait';
import { useRenounced } from '../../../api/useRenounced';
import { replacedText, useWaitingChange } from '../../../api/useWaitingChange';
import { guardingNetwork } from '../../../lib/kms/chains';
import { rollbackEffect } from '../../../lib/kms/renounced';
import { appCvmPath, appPath } from '../../../lib/paths';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { useToast } from '../../../ui/feedback/toasts';
import { TextInput } from '../../../ui/forms/TextInput';
import { missingText, rollBackEffects } from './missing';

interface Props {
  teamSlug: string;
  appId: string;
  revision: AppRevision;
  cvms: readonly Pick<Cvm, 'vm_uuid' | 'kms_info' | 'desired_status'>[];
  onClose: () => void;
}

/** Rolls back by creating a new revision with the old bytes, so the history records it. */
export function RollBackDialog({ teamSlug, appId, revision, cvms, onClose }: Props) {
  const [reason, setReason] = useState('');
  const reload = useReloadLive(teamSlug);
  const navigate = useNavigate();
  const toast = useToast();
  const guarded = cvms.find((cvm) => guardingNetwork(cvm) !== null);
  const network = guarded ? guardingNetwork(guarded) : null;
  const guard = guarded ?? { kms_info: null };
  const renounced = useRenounced(teamSlug, appId, guard);
  const replaced = useWaitingChange(teamSlug, appId, guard, { kind: 'rollout', cvm_id: null });
  const allowed = renounced?.allows(revision.compose_hash) ?? null;
  const { lead, shown } = useContractWait(
    teamSlug,
    guarded?.vm_uuid == null ? null : appCvmPath(teamSlug, appId, guarded.vm_uuid, 'kms'),
    onClose,
  );
  const back = useMutation({
    ...redeployAppRevisionMutation(),
    onSuccess: async ({ missing_envs }) => {
      const missing = missingText(missing_envs);
      const vmUuid = cvms[0]?.vm_uuid;
      if (missing !== null)
        toast({
          tone: 'attention',
          title: `Revision ${revision.revision_number} lacks secrets`,
          message: missing,
          ...(vmUuid
            ? { link: { label: 'Update', href: appCvmPath(teamSlug, appId, vmUuid, 'compose') } }
            : {}),
        });
      await reload();
      onClose();
      // The app page shows the progress.
      await navigate({ href: appPath(teamSlug, appId) });
    },
    onError: lead,
  });
  return (
    <ConfirmDialog
      open
      title={`Roll back to revision ${revision.revision_number}?`}
      confirmLabel="Roll back"
      effects={[
        ...rollBackEffects(cvms),
        ...(network === null ? [] : rollbackEffect(network, renounced !== null, allowed)),
        ...(replaced ? [replacedText(replaced)] : []),
        'This creates a new revision with the same compose hash. Secrets keep their current values.',
      ]}
      blocked={allowed === false}
      pending={back.isPending}
      problem={problemOf(shown(back.error), 'Couldn’t roll back')}
      onConfirm={() =>
        back.mutate({
          ...inTeam(teamSlug),
          path: { app_id: appId, revision_id: revision.revision_id },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Reason"
        optional
        help="Saved in the history and visible to the whole team. Don’t include secrets."
        value={reason}
        maxLength={500}
        autoComplete="off"
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
}
