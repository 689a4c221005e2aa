import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createTopUpMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Payment, TopUpDriver } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { useStale } from '../../api/useStale';
import { balanceOptions } from '../../api/runway';
import { cardText } from '../../lib/billing/cardText';
import { takesTransfers, topUpDrivers } from '../../lib/billing/waysToPay';
import { SAVE_CARD_CONSENT } from '../../lib/billing/consent';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/feedback/Notice';
import { fieldProblem } from '../../ui/feedback/problem';
import { DialogActions } from '../../ui/forms/DialogActions';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { CheckboxInput } from '../../ui/forms/SwitchInput';
import { AmountInput } from '../../ui/forms/AmountInput';
import { amountFault, decimalOf } from './amount';
import { cardOptions, MONEY } from './queries';
import { driverTexts } from './texts';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { TransferDetails } from './TransferDetails';
import { useCheckout } from './checkout/useCheckout';
import { WelcomeNotice } from './WelcomeNotice';

/** Asks for an amount, then shows where to send it or opens the card payment page. */
export function AddFundsDialog({
  teamSlug,
  amount = '',
  onLeave,
  onClose,
}: {
  teamSlug: string;
  /** Initial amount. */
  amount?: string;
  /** Called with a payment before its payment page replaces this one. */
  onLeave?: ((paymentId: string) => Promise<void>) | undefined;
  onClose: () => void;
}) {
  const [payment, setPayment] = useState<Payment>();
  const { data, error, refetch } = useQuery(balanceOptions(teamSlug));
  const problem = problemOf(error, 'Couldn’t load payment methods', () => void refetch());
  return (
    <FormDialog
      open
      onClose={onClose}
      title={payment ? 'Send the transfer' : 'Add funds'}
      intro={
        payment
          ? 'Include the reference in your bank transfer. The amount is added once an administrator confirms that it arrived.'
          : data?.card_payments
            ? 'Prepaid funds are used after credits and don’t expire.'
            : 'By bank transfer. Prepaid funds are used after credits and don’t expire.'
      }
    >
      {payment ? (
        <Sent teamSlug={teamSlug} payment={payment} onClose={onClose} />
      ) : data ? (
        <>
          <WelcomeNotice billing={data} />
          {!data.card_payments && !takesTransfers(data) && (
            <Notice tone="attention" title="No bank account is published.">
              Ask the operator of this server where to send the money before you continue.
            </Notice>
          )}
          <AmountForm
            teamSlug={teamSlug}
            initial={amount}
            drivers={topUpDrivers(data)}
            onMade={setPayment}
            onLeave={onLeave}
            onClose={onClose}
          />
        </>
      ) : problem ? (
        <ErrorNotice problem={problem} />
      ) : (
        // Waits for the payment methods: a form without them would start a bank transfer.
        <RowsSkeleton rows={2} />
      )}
    </FormDialog>
  );
}

function AmountForm({
  teamSlug,
  initial,
  drivers,
  onMade,
  onLeave,
  onClose,
}: {
  teamSlug: string;
  initial: string;
  /** The first one is preselected. */
  drivers: readonly TopUpDriver[];
  onMade: (payment: Payment) => void;
  onLeave: ((paymentId: string) => Promise<void>) | undefined;
  onClose: () => void;
}) {
  const [amount, setAmount] = useState(initial);
  const takesCards = drivers.includes('stripe');
  const [driver, setDriver] = useState<TopUpDriver>(drivers[0] ?? 'manual');
  const [savesCard, setSavesCard] = useState(false);
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const checkout = useCheckout(teamSlug, onLeave);
  const replaced = useQuery({ ...cardOptions(teamSlug), enabled: takesCards }).data?.card;
  const create = useMutation({
    ...createTopUpMutation(),
    onSuccess: async (made) => {
      await stale(...MONEY);
      if (made.driver === 'stripe') checkout.mutate(made.id);
      else onMade(made);
    },
  });
  const problem =
    problemOf(create.error, 'Couldn’t start the payment') ??
    problemOf(checkout.error, 'Couldn’t open the payment page');
  const submit = () => {
    setTried(true);
    if (amountFault(amount, driver) !== undefined) return;
    const body = {
      amount: decimalOf(amount),
      driver,
      ...(driver === 'stripe' && savesCard && { save_card: true }),
    };
    create.mutate({ body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  return (
    <FormShell
      aria-label="Add funds"
      error={problem}
      fields={takesCards ? ['amount', 'driver'] : ['amount']}
      // Stays pending until the browser has left the page.
      pending={create.isPending || checkout.isPending}
      onSubmit={submit}
      submitLabel="Continue"
      pendingLabel="Starting…"
      onCancel={onClose}
    >
      <AmountInput
        label="Amount in US dollars"
        autoFocus
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        error={tried ? (amountFault(amount, driver) ?? fieldProblem(problem, 'amount')) : undefined}
      />
      {takesCards && (
        <SelectInput
          label="Pay by"
          help={
            driver === 'stripe'
              ? 'You pay on Stripe. Card numbers never reach this server.'
              : 'The amount is added once an administrator confirms that it arrived.'
          }
          value={driver}
          choices={drivers.map((value) => ({ value, label: driverTexts[value] }))}
          onChange={(event) => setDriver(event.target.value === 'stripe' ? 'stripe' : 'manual')}
          error={fieldProblem(problem, 'driver')}
        />
      )}
      {takesCards && driver === 'stripe' && (
        <CheckboxInput
          label="Save this card"
          help={replaced ? `Replaces ${cardText(replaced)}. ${SAVE_CARD_CONSENT}` : SAVE_CARD_CONSENT}
          checked={savesCard}
          onChange={(event) => setSavesCard(event.target.checked)}
        />
      )}
    </FormShell>
  );
}

function Sent({ teamSlug, payment, onClose }: { teamSlug: string; payment: Payment; onClose: () => void }) {
  const { data } = useQuery(balanceOptions(teamSlug));
  return (
    <>
      <TransferDetails payment={payment} bank={data?.bank_transfer ?? null} />
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}
