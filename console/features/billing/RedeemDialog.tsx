import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { redeemPromotionCodeMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { useStale } from '../../api/useStale';
import { useTitleInTeam } from '../../api/session';
import { exactUsd } from '../../lib/billing/money';
import { useToast } from '../../ui/feedback/toasts';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { MONEY } from './queries';
import { codeFault, redeemErrors } from './redeem';

export function RedeemDialog({ teamSlug, onClose }: { teamSlug: string; onClose: () => void }) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Redeem a code"
      intro="A promotion code adds credit, or a bonus to your next payment."
    >
      <RedeemForm teamSlug={teamSlug} onClose={onClose} />
    </FormDialog>
  );
}

function RedeemForm({ teamSlug, onClose }: { teamSlug: string; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const redeem = useMutation({
    ...redeemPromotionCodeMutation(),
    onSuccess: async ({ credit, bonus }) => {
      toast({
        tone: 'ok',
        title: named('Code redeemed'),
        message: credit
          ? `${exactUsd(credit.amount)} in credit was added.`
          : `Your next payment earns a ${bonus?.percent ?? 0}% bonus.`,
      });
      await stale(...MONEY);
      onClose();
    },
  });
  const submit = () => {
    setTried(true);
    if (codeFault(code) !== undefined) return;
    const body = { code: code.trim() };
    redeem.mutate({ body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  const refused = problemOf(redeem.error, 'Couldn’t redeem the code');
  const errors = redeemErrors(code, { tried, refused });
  return (
    <FormShell
      aria-label="Redeem a code"
      error={errors.form}
      pending={redeem.isPending}
      onSubmit={submit}
      submitLabel="Redeem"
      pendingLabel="Redeeming…"
      onCancel={onClose}
    >
      <TextInput
        label="Code"
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          // The refusal was for the previous text.
          if (redeem.isError) redeem.reset();
        }}
        error={errors.field}
      />
    </FormShell>
  );
}
