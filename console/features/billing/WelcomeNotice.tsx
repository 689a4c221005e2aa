import type { Billing } from '../../../generated/api/types.gen';
import { exactUsd } from '../../lib/billing/money';
import { Notice } from '../../ui/feedback/Notice';

/** The credit for a team's first payment, and which payments qualify. */
export function WelcomeNotice({ billing: { welcome_credit, usdc_payments } }: { billing: Billing }) {
  if (!welcome_credit) return null;
  const { minimum } = welcome_credit;
  const credit =
    welcome_credit.amount === null
      ? `a ${welcome_credit.percent}% bonus in credit, up to ${exactUsd(welcome_credit.cap)}`
      : `${exactUsd(welcome_credit.amount)} in credit`;
  return (
    <Notice tone="ok" title="Welcome credit">
      Your first payment of at least {exactUsd(minimum)} by card or bank transfer earns {credit}.
      {usdc_payments && ' USDC deposits and automatic payments don’t count.'}
    </Notice>
  );
}
