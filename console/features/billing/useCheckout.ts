import { useMutation } from '@tanstack/react-query';
import { openCheckout } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';

/** Opens the page where a card payment is made. It returns to the billing page. */
export const useCheckout = (teamSlug: string) =>
  useMutation({
    mutationFn: async (payment_id: string) => {
      const { data } = await openCheckout({ ...inTeam(teamSlug), path: { payment_id }, throwOnError: true });
      location.assign(data.url);
    },
  });
