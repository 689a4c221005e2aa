import type { AiKey } from '../../../generated/api/types.gen';

/** Returns why a key has permanently ended; null if it hasn't. */
export function endOf({
  revoked_at,
  expires_at,
}: Pick<AiKey, 'revoked_at' | 'expires_at'>): 'revoked' | 'expired' | null {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) < Date.now() ? 'expired' : null;
}

/** Returns the consequences of rotating a key: only one earlier secret stays valid for a while. */
export const rotationEffects = ({
  previous_secret_until,
}: Pick<AiKey, 'previous_secret_until'>): string[] => [
  'A new secret replaces the current one.',
  ...(previous_secret_until === null
    ? []
    : ['The older secret, still valid since the last rotation, stops working immediately.']),
  'The key keeps its limits, models and usage.',
];

/** Whether requests are refused until the period ends or the budget is raised. */
export const isUsedUp = ({ budget, budget_used }: Pick<AiKey, 'budget' | 'budget_used'>): boolean =>
  budget !== null && Number(budget_used) >= Number(budget);
