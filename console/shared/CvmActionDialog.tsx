import type { Cvm } from '../../generated/api/types.gen';
import { problemOf } from '../api/problem';
import { useCvmPower } from '../api/useCvmPower';
import { POWER_TEXTS, type PowerAction } from '../lib/cvms/powerTexts';
import { PowerDialog } from '../ui/feedback/PowerDialog';

interface Props {
  action: PowerAction;
  cvm: Cvm;
  teamSlug: string;
  onClose: () => void;
}

/** Confirms starting, stopping or restarting a CVM, then does it. */
export function CvmActionDialog({ action, cvm, teamSlug, onClose }: Props) {
  const { send, isPending, error, check } = useCvmPower({ action, cvm, teamSlug, onDone: onClose });
  return (
    <PowerDialog
      action={action}
      cvm={cvm}
      check={check}
      pending={isPending}
      problem={problemOf(error, POWER_TEXTS[action].failed)}
      onConfirm={send}
      onClose={onClose}
    />
  );
}
