import { useQuery } from '@tanstack/react-query';
import { balanceOptions } from '../../api/runway';
import { cardOptions, creditsOptions, detailsOptions, paymentsOptions, usdcOptions } from './queries';

/**
 * Whether the first load of the billing page's panels is in progress. They appear together: each has a height only its
 * data knows, so one that loads later would move those below it.
 */
export function useIsBillingLoading(teamSlug: string, enabled: boolean): boolean {
  const balance = useQuery({ ...balanceOptions(teamSlug), enabled });
  const payments = useQuery({ ...paymentsOptions(teamSlug), enabled });
  const credits = useQuery({ ...creditsOptions(teamSlug), enabled });
  const details = useQuery({ ...detailsOptions(teamSlug), enabled });
  const card = useQuery({ ...cardOptions(teamSlug), enabled: balance.data?.card_payments === true });
  const usdc = useQuery({ ...usdcOptions(teamSlug), enabled: balance.data?.usdc_payments === true });
  // A query that failed isn't loading; its panel shows the error.
  return [balance, payments, credits, details, card, usdc].some(({ isLoading }) => isLoading);
}
