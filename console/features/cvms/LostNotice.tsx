import { useState } from 'react';
import { giveUpCvm } from '../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { useBootCheck } from '../../api/bootCheck';
import { useMay } from '../../api/session';
import { currentMicros, powerMicros } from '../../lib/billing/spend';
import { canGiveUp } from '../../lib/cvms/allowedActions';
import { formatGb } from '../../lib/cvms/sizes';
import { showOperationText } from '../../lib/texts/operationTexts';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { SpendChange } from '../../ui/data/SpendChange';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Notice } from '../../ui/feedback/Notice';
import { BootWarning } from '../../ui/kms/BootWarning';
import { ActionButton } from '../../ui/controls/ActionButton';
import { useSetting } from './settings/useSetting';

/** Details about a CVM whose VM its host no longer lists, and how to recreate it. */
export function LostNotice({ cvm, teamSlug }: { cvm: CvmDetail; teamSlug: string }) {
  const [asking, setAsking] = useState(false);
  const may = useMay('cvms.give_up', teamSlug);
  const since = cvm.lost_since;
  return (
    <>
      <Notice
        tone="error"
        title={`${cvm.name} is lost.`}
        action={
          <ActionButton
            tone="danger"
            variant="outlined"
            reason={may.reason ?? (canGiveUp(cvm) ? undefined : 'Another operation is in progress.')}
            onClick={() => setAsking(true)}
          >
            Give up…
          </ActionButton>
        }
      >
        {since !== null && (
          <>
            Last listed <RelativeTime at={since} inWords />.{' '}
          </>
        )}
        {showOperationText(cvm.status_reason_keys, cvm.status_reason)}
      </Notice>
      {asking && <GiveUpDialog cvm={cvm} teamSlug={teamSlug} onClose={() => setAsking(false)} />}
    </>
  );
}

function GiveUpDialog({ cvm, teamSlug, onClose }: { cvm: CvmDetail; teamSlug: string; onClose: () => void }) {
  const { guarded, ...check } = useBootCheck(teamSlug, [cvm]);
  const { save, pending, problem } = useSetting({
    send: (options) => giveUpCvm({ ...options, body: { name: cvm.name } }),
    failed: 'Couldn’t give up the CVM',
    onDone: onClose,
  });
  const disk = cvm.resource.disk_in_gb;
  return (
    <ConfirmDialog
      open
      danger
      title={`Give up ${cvm.name}’s disk?`}
      typedName={cvm.name}
      confirmLabel="Start with an empty disk"
      effects={[
        `A new VM is created on ${cvm.teepod?.name ?? 'its host'} with an empty disk${disk === null ? '' : ` of ${formatGb(disk)}`}. Secrets, app ID and addresses are kept.`,
        'This CVM never uses the old disk again, even if the host finds it.',
        'If the host lists the old VM again, it isn’t removed. Ask an administrator for its data.',
      ]}
      cost={<SpendChange label="Cost" before={currentMicros(cvm)} after={powerMicros(cvm, 'start') ?? 0} />}
      pending={pending}
      problem={problem}
      onConfirm={() => save()}
      onClose={onClose}
    >
      {guarded ? <BootWarning {...check} verb="start" /> : undefined}
    </ConfirmDialog>
  );
}
