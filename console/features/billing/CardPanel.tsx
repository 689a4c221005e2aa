import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteCardMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { openCardSetup } from '../../../generated/api/sdk.gen';
import type { CardSettings, TeamCard } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { cardText } from '../../lib/billing/cardText';
import { exactUsd } from '../../lib/billing/money';
import { Button } from '../../ui/controls/Button';
import { PendingButton } from '../../ui/controls/PendingButton';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { AutoTopUpDialog } from './AutoTopUpDialog';
import { leaveFor } from './checkout/leaveFor';
import { cardOptions } from './queries';

const Stack = styled('div')({ display: 'grid', gap: space(4) });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

/** The saved card and its automatic charges. */
export function CardPanel({ teamSlug, mayManage }: { teamSlug: string; mayManage: boolean }) {
  const { data, error, refetch } = useQuery(cardOptions(teamSlug));
  const [opened, setOpened] = useState<'auto' | 'remove' | null>(null);
  const setup = useMutation({
    mutationFn: async () => {
      const { data: page } = await openCardSetup({ ...inTeam(teamSlug), throwOnError: true });
      await leaveFor(page.url);
    },
  });
  const close = () => setOpened(null);
  const problem =
    problemOf(error, 'Couldn’t load the card', () => void refetch()) ??
    problemOf(setup.error, 'Couldn’t open the card page');
  return (
    <Panel title="Saved card" framed>
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        {data ? <KeyValue facts={factsOf(data)} /> : !problem && <RowsSkeleton rows={2} />}
        {data?.auto_top_up?.stopped_reason != null && (
          <Notice tone="attention" title="Automatic payments are turned off.">
            {data.auto_top_up.stopped_reason}
          </Notice>
        )}
        {data?.auto_top_up?.waiting_payment != null && (
          <Notice tone="attention" title="Automatic payments are paused.">
            The card’s bank requires confirmation of payment {data.auto_top_up.waiting_payment}. Automatic
            payments resume once it is paid or canceled.
          </Notice>
        )}
        {data && mayManage && (
          <Actions>
            <PendingButton pending={setup.isPending} onClick={() => setup.mutate()}>
              {data.card ? 'Replace card' : 'Save a card'}
            </PendingButton>
            {data.card && <Button onClick={() => setOpened('auto')}>Automatic payments</Button>}
            {data.card && <Button onClick={() => setOpened('remove')}>Remove card</Button>}
          </Actions>
        )}
      </Stack>
      {opened === 'auto' && (
        <AutoTopUpDialog teamSlug={teamSlug} present={data?.auto_top_up ?? null} onClose={close} />
      )}
      {opened === 'remove' && <RemoveCard teamSlug={teamSlug} onClose={close} />}
    </Panel>
  );
}

const withExpiry = (card: TeamCard) =>
  `${cardText(card)}, expires ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;

const factsOf = ({ card, auto_top_up: auto }: CardSettings): Fact[] => [
  { label: 'Card', value: card ? withExpiry(card) : 'None' },
  ...(card?.consent ? [{ label: 'Agreement', value: card.consent, wide: true }] : []),
  {
    label: 'Automatic payments',
    value: auto?.enabled
      ? `${exactUsd(auto.amount)} when the balance is below ${exactUsd(auto.threshold)}`
      : 'Off',
  },
];

function RemoveCard({ teamSlug, onClose }: { teamSlug: string; onClose: () => void }) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteCardMutation(),
    onSuccess: async () => {
      await stale('getCardSettings');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title="Remove the saved card?"
      effects={['Automatic payments are turned off.']}
      confirmLabel="Remove card"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t remove the card')}
      onConfirm={() => remove.mutate({ ...inTeam(teamSlug) })}
      onClose={onClose}
    />
  );
}
