import styled from '@emotion/styled';
import { useState } from 'react';
import { currentMicros, powerMicros, type Metered } from '../../lib/billing/spend';
import { canForce } from '../../lib/cvms/verbs';
import { POWER_TEXTS, type PowerAction } from '../../lib/cvms/powerTexts';
import type { BootRisk, BootVerb } from '../../lib/kms/bootDecision';
import { SpendChange } from '../data/SpendChange';
import { ForceInput } from '../forms/ForceInput';
import { BootWarning } from '../kms/BootWarning';
import { space } from '../theme';
import { ConfirmDialog } from './ConfirmDialog';
import type { Problem } from './problem';

const Stack = styled('div')({ display: 'grid', gap: space(4) });

interface Props {
  action: PowerAction;
  cvm: Metered & { name: string };
  /** Whether the CVM would get its keys; null if it doesn't boot or no contract decides that. */
  check: { verb: BootVerb; checking: boolean; risks: BootRisk[] } | null;
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
      {(check || canForce(action)) && (
        <Stack>
          {check && <BootWarning {...check} />}
          {canForce(action) && <ForceInput checked={force} onChange={setForce} />}
        </Stack>
      )}
    </ConfirmDialog>
  );
}
