import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { setAutoTopUpMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { AutoTopUp } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { useTitleInTeam } from '../../api/session';
import { autoTopUpConsent } from '../../lib/billing/consent';
import { parseMicros } from '../../lib/billing/money';
import { fieldProblem } from '../../ui/feedback/problem';
import { useToast } from '../../ui/feedback/toasts';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { CheckboxInput, SwitchInput } from '../../ui/forms/SwitchInput';
import { AmountInput } from '../../ui/forms/AmountInput';
import { amountFault, decimalOf } from './amount';

/** Turns automatic payments on, with the text the payer agrees to, or off. */
export function AutoTopUpDialog({
  teamSlug,
  present,
  onClose,
}: {
  teamSlug: string;
  present: AutoTopUp | null;
  onClose: () => void;
}) {
  // If off, submitting the dialog turns them on; a separate switch would ask twice.
  const isOn = present?.enabled === true;
  const [enabled, setEnabled] = useState(true);
  const [amount, setAmount] = useState(present?.amount ?? '50');
  const [threshold, setThreshold] = useState(present?.threshold ?? '10');
  const [consent, setConsent] = useState(false);
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const save = useMutation({
    ...setAutoTopUpMutation(),
    onSuccess: async () => {
      await stale('getCardSettings');
      onClose();
      toast({ tone: 'ok', title: named(`Automatic payments are ${enabled ? 'on' : 'off'}`) });
    },
  });
  const problem = problemOf(save.error, 'Couldn’t change automatic payments');
  const amountError = amountFault(amount, 'stripe');
  const thresholdError = amountFault(threshold);
  const agreed = {
    amount: parseMicros(decimalOf(amount)) ?? 0,
    threshold: parseMicros(decimalOf(threshold)) ?? 0,
  };
  const submit = () => {
    setTried(true);
    if (enabled && (amountError ?? thresholdError ?? (consent ? undefined : '')) !== undefined) return;
    const body = enabled
      ? { enabled, amount: decimalOf(amount), threshold: decimalOf(threshold), consent }
      : { enabled };
    save.mutate({ ...inTeam(teamSlug), body });
  };
  return (
    <FormDialog open onClose={onClose} title={isOn ? 'Automatic payments' : 'Turn on automatic payments'}>
      <FormShell
        aria-label="Automatic payments"
        error={problem}
        fields={['amount', 'threshold']}
        pending={save.isPending}
        onSubmit={submit}
        submitLabel={isOn ? 'Save' : 'Turn on'}
        onCancel={onClose}
      >
        {isOn && (
          <SwitchInput
            label="Charge the saved card automatically"
            checked={enabled}
            onChange={(event) => setEnabled(event.target.checked)}
          />
        )}
        {enabled && (
          <>
            <AmountInput
              label="Amount in US dollars"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
              error={tried ? (amountError ?? fieldProblem(problem, 'amount')) : undefined}
            />
            <AmountInput
              label="When the balance is below"
              value={threshold}
              onChange={(event) => setThreshold(event.target.value)}
              error={tried ? (thresholdError ?? fieldProblem(problem, 'threshold')) : undefined}
            />
            <CheckboxInput
              label="I agree"
              help={autoTopUpConsent(agreed)}
              checked={consent}
              onChange={(event) => setConsent(event.target.checked)}
              error={tried && !consent ? 'Agree to be charged automatically.' : undefined}
            />
          </>
        )}
      </FormShell>
    </FormDialog>
  );
}
