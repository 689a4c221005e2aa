import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createRecoveryCodesMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { SecondFactors } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ShutButton } from '../../ui/controls/ShutButton';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Panel } from '../../ui/layout/Panel';
import { color, type } from '../../ui/theme';
import { hasFactor, type FactorChanged } from './factors';

const Text = styled('p')({ ...type.body, color: color.muted });

/** Codes for the day the device is lost: how many are left, and new ones. */
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
        hasFactor(factors) ? (
          <Button size="small" onClick={() => setAsking(true)}>
            Make new codes
          </Button>
        ) : (
          <ShutButton size="small" reason="They come with your first second factor.">
            Make new codes
          </ShutButton>
        )
      }
    >
      <Text>
        {!hasFactor(factors)
          ? 'You get ten codes with your first second factor. Each signs you in once in its place.'
          : left === 0
            ? 'None are left.'
            : `${left} ${left === 1 ? 'code is' : 'codes are'} left. Each signs you in once in place of another factor.`}
      </Text>
      <ConfirmDialog
        open={asking}
        title="Make new recovery codes?"
        effects={['The codes you have do not work any more.', 'Ten new ones are shown once.']}
        confirmLabel="Make new codes"
        pending={make.isPending}
        problem={problemOf(make.error, 'No codes were made')}
        onConfirm={() => make.mutate({})}
        onClose={() => setAsking(false)}
      />
    </Panel>
  );
}
