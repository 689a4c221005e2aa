import { ActionButton } from '../../../ui/controls/ActionButton';
import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createRecoveryCodesMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { SecondFactors } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { Panel } from '../../../ui/layout/Panel';
import { color, type } from '../../../ui/theme';
import { hasFactor, type FactorChanged } from './factors';
import { counted } from '../../../lib/texts/count';

const Text = styled('p')({ ...type.body, color: color.muted });

/** Shows how many recovery codes are left and generates new ones. */
export function RecoveryPanel({ factors, onChanged }: { factors: SecondFactors; onChanged: FactorChanged }) {
  const [asking, setAsking] = useState(false);
  const left = factors.recovery_codes_left;
  const make = useMutation({
    ...createRecoveryCodesMutation(),
    onSuccess: async ({ codes }) => {
      setAsking(false);
      await onChanged(codes);
    },
  });
  return (
    <Panel
      title="Recovery codes"
      framed
      actions={
        <ActionButton
          size="small"
          reason={hasFactor(factors) ? undefined : 'Set up a second factor first.'}
          onClick={() => setAsking(true)}
        >
          Generate codes
        </ActionButton>
      }
    >
      <Text>
        {!hasFactor(factors)
          ? 'You get ten recovery codes when you first set up a second factor. Each works once in its place.'
          : left === 0
            ? 'No codes left.'
            : `${counted(left, ['code', 'codes'])} left. Each works once in place of your second factor.`}
      </Text>
      <ConfirmDialog
        open={asking}
        title="Generate new recovery codes?"
        effects={['Your existing codes stop working.', 'Ten new codes are shown once.']}
        confirmLabel="Generate codes"
        pending={make.isPending}
        problem={problemOf(make.error, 'Couldn’t generate codes')}
        onConfirm={() => make.mutate({})}
        onClose={() => {
          make.reset();
          setAsking(false);
        }}
      />
    </Panel>
  );
}
