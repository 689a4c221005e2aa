import styled from '@emotion/styled';
import { useState } from 'react';
import { currentMicros, powerMicros, type Metered } from '../../lib/billing/spend';
import { POWER_TEXTS, type PowerAction } from '../../lib/cvms/powerTexts';
import type { BootRisk } from '../../lib/kms/bootDecision';
import { SpendChange } from '../data/SpendChange';
import { SwitchInput } from '../forms/SwitchInput';
import { BootWarning } from '../kms/BootWarning';
import { space } from '../theme';
import { ConfirmDialog } from './ConfirmDialog';
import type { Problem } from './problem';

const Stack = styled('div')({ display: 'grid', gap: space(4) });

interface Props {
  action: PowerAction;
  cvm: Metered & { name: string };
  /** Whether the CVM would get its keys; null if no contract decides that. */
  check: { checking: boolean; risks: BootRisk[] } | null;
  pending: boolean;
  problem: Problem | null;
  onConfirm: (force: boolean) => void;
  onClose: () => void;
}

/** Confirms a power action with its consequences and cost. */
export function PowerDialog({ action, cvm, check, pending, problem, onConfirm, onClose }: Props) {
  const [force, setForce] = useState(false);
  const { verb, effects } = POWER_TEXTS[action];
  const after = powerMicros(cvm, action);
  return (
    <ConfirmDialog
      open
      title={`${verb} ${cvm.name}?`}
      effects={effects}
      {...(after === null
        ? {}
        : { cost: <SpendChange label="Cost" before={currentMicros(cvm)} after={after} /> })}
      confirmLabel={verb}
      pending={pending}
      problem={problem}
      onConfirm={() => onConfirm(force)}
      onClose={onClose}
    >
      {check !== null || action !== 'start' ? (
        <Stack>
          {check && action !== 'stop' && <BootWarning {...check} verb={action} />}
          {action !== 'start' && (
            <SwitchInput
              label="Force"
              help="Cuts power immediately instead of shutting containers down first."
              checked={force}
              onChange={(event) => setForce(event.target.checked)}
            />
          )}
        </Stack>
      ) : undefined}
    </ConfirmDialog>
  );
}
