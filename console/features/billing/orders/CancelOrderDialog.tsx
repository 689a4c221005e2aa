import { useMutation, useQuery } from '@tanstack/react-query';
import { cancelOrderMutation, getOrderOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import { useTitleInTeam } from '../../../api/session';
import { exactUsd } from '../../../lib/billing/money';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { useToast } from '../../../ui/feedback/toasts';
import { ORDERED } from '../queries';

interface Props {
  teamSlug: string;
  id: string;
  onClose: () => void;
}

/** Shows the current refund. The server refuses to refund any other amount. */
export function CancelOrderDialog({ teamSlug, id, onClose }: Props) {
  const { data, error, refetch } = useQuery({
    ...getOrderOptions({ ...inTeam(teamSlug), path: { order_id: id } }),
    staleTime: 0,
  });
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const cancel = useMutation({
    ...cancelOrderMutation(),
    onSuccess: async ({ name, state, refunded }) => {
      await stale(...ORDERED);
      onClose();
      toast({
        tone: 'ok',
        title: named(`${name} is canceled`),
        ...(state === 'refunded' && { message: `${exactUsd(refunded)} was refunded to the balance.` }),
      });
    },
    onError: () => refetch(),
  });
  if (!data)
    return (
      <ConfirmDialog
        open
        title="Cancel the order?"
        confirmLabel="Cancel order"
        cancelLabel="Go back"
        pending={error === null}
        problem={problemOf(error, 'Couldn’t load the order', () => void refetch())}
        onConfirm={() => void refetch()}
        onClose={onClose}
      />
    );
  const refund = data.refund ?? '0.00';
  const submit = () => {
    const body = { refund };
    cancel.mutate({
      path: { order_id: id },
      body,
      headers: { ...inTeam(teamSlug).headers, ...idempotent({ id, ...body }) },
    });
  };
  return (
    <ConfirmDialog
      open
      danger
      title={`Cancel ${data.name}?`}
      effects={
        data.state === 'pending'
          ? [
              'Its capacity is released to other teams.',
              'Its payment is canceled. Money that has already arrived stays in the balance.',
            ]
          : [
              ...(data.state === 'active'
                ? [
                    data.cvm === null
                      ? 'It ends immediately.'
                      : `It ends immediately, and ${data.cvm.name ?? 'its CVM'} is charged as usual.`,
                  ]
                : []),
              refund === '0.00' ? 'Nothing is refunded.' : `${exactUsd(refund)} is refunded to the balance.`,
            ]
      }
      confirmLabel="Cancel order"
      cancelLabel="Go back"
      pending={cancel.isPending}
      problem={problemOf(cancel.error, 'Couldn’t cancel the order')}
      onConfirm={submit}
      onClose={onClose}
    />
  );
}
