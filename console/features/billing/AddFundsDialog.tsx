import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createTopUpMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Payment } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { useStale } from '../../api/useStale';
import { Button } from '../../ui/controls/Button';
import { fieldProblem } from '../../ui/feedback/problem';
import { DialogActions } from '../../ui/forms/DialogActions';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { amountFault, decimalOf } from './amount';
import { balanceOptions, MONEY } from './queries';
import { TransferDetails } from './TransferDetails';

/** Asks for an amount, then shows where to send it. */
export function AddFundsDialog({
  teamSlug,
  amount = '',
  onClose,
}: {
  teamSlug: string;
  /** What the form starts with. */
  amount?: string;
  onClose: () => void;
}) {
  const [payment, setPayment] = useState<Payment>();
  return (
    <FormDialog
      open
      onClose={onClose}
      title={payment ? 'Send the transfer' : 'Add funds'}
      intro={
        payment
          ? 'Write the reference on your bank transfer. The amount is added once an administrator confirms that it arrived.'
          : 'By bank transfer. Prepaid funds are used after credits and don’t expire.'
      }
    >
      {payment ? (
        <Sent teamSlug={teamSlug} payment={payment} onClose={onClose} />
      ) : (
        <AmountForm teamSlug={teamSlug} initial={amount} onMade={setPayment} onClose={onClose} />
      )}
    </FormDialog>
  );
}

function AmountForm({
  teamSlug,
  initial,
  onMade,
  onClose,
}: {
  teamSlug: string;
  initial: string;
  onMade: (payment: Payment) => void;
  onClose: () => void;
}) {
  const [amount, setAmount] = useState(initial);
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const create = useMutation({
    ...createTopUpMutation(),
    onSuccess: async (made) => {
      await stale(...MONEY);
      onMade(made);
    },
  });
  const problem = problemOf(create.error, 'Couldn’t start the payment');
  const submit = () => {
    setTried(true);
    if (amountFault(amount) !== undefined) return;
    const body = { amount: decimalOf(amount) };
    create.mutate({ body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  return (
    <FormShell
      aria-label="Add funds"
      error={problem}
      pending={create.isPending}
      onSubmit={submit}
      submitLabel="Continue"
      pendingLabel="Starting…"
      onCancel={onClose}
    >
      <TextInput
        label="Amount in US dollars"
        inputMode="decimal"
        autoFocus
        autoComplete="off"
        maxLength={14}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        error={tried ? (amountFault(amount) ?? fieldProblem(problem, 'amount')) : undefined}
      />
    </FormShell>
  );
}

function Sent({ teamSlug, payment, onClose }: { teamSlug: string; payment: Payment; onClose: () => void }) {
  const { data } = useQuery(balanceOptions(teamSlug));
  return (
    <>
      <TransferDetails payment={payment} bank={data?.bank_transfer ?? null} />
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}
