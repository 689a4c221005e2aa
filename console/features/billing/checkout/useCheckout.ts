import { useIsMutating, useMutation } from '@tanstack/react-query';
import { openCheckout } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { leaveFor } from './leaveFor';

const KEY = ['open-checkout'];

/**
 * Opens a card payment's payment page, which returns to the billing page.
 * @param onLeave puts the payment into this page's address, for payers who return with the browser's Back button
 */
export const useCheckout = (teamSlug: string, onLeave?: (payment_id: string) => Promise<void>) =>
  useMutation({
    mutationKey: KEY,
    mutationFn: async (payment_id: string) => {
      const { data } = await openCheckout({ ...inTeam(teamSlug), path: { payment_id }, throwOnError: true });
      await onLeave?.(payment_id);
      await leaveFor(data.url);
    },
  });

/** Whether a payment page is about to replace this one. */
export const useIsLeaving = (): boolean => useIsMutating({ mutationKey: KEY }) > 0;
