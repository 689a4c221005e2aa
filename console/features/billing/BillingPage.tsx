import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useSession, useTeam } from '../../api/session';
import { balanceOptions } from '../../api/runway';
import { debtPath, transactionsPath } from '../../lib/paths';
import { PageSkeleton } from '../../ui/feedback/Skeletons';
import { Button, LinkButton } from '../../ui/controls/Button';
import { ActionButton } from '../../ui/controls/ActionButton';
import { Sections } from '../../ui/layout/Sections';
import { AddFundsDialog } from './AddFundsDialog';
import { BalancePanel } from './BalancePanel';
import { CardPanel } from './CardPanel';
import { CheckoutNotice } from './checkout/CheckoutNotice';
import { CreditsPanel } from './CreditsPanel';
import { DetailsPanel } from './DetailsPanel';
import { MoneyPage } from './MoneyPage';
import { PaymentsPanel } from './PaymentsPanel';
import { RedeemDialog } from './RedeemDialog';
import { useIsBillingLoading } from './queries';
import { UsdcPanel } from './usdc/UsdcPanel';

interface Props {
  teamSlug: string;
  /** The payment whose payment page the payer has just left. */
  returned: { paymentId: string; checkout: 'done' | 'left' } | undefined;
  onDismiss: () => void;
  /** Called with a payment before its payment page replaces this one. */
  onLeave: (paymentId: string) => Promise<void>;
}

/** A team's balance, payments and payment methods. */
export function BillingPage({ teamSlug, returned, onDismiss, onLeave }: Props) {
  const team = useTeam(teamSlug);
  const manage = useMay('billing.manage', teamSlug);
  const [opened, setOpened] = useState<'funds' | 'code' | null>(null);
  const { allowed } = useMay('billing.read', teamSlug);
  const { data } = useQuery({ ...balanceOptions(teamSlug), enabled: allowed });
  // Without enforced billing, paying isn't the page's primary action.
  const look = useSession().features.billing ? ({ variant: 'contained' } as const) : {};
  const isLoading = useIsBillingLoading(teamSlug, allowed);
  const close = () => setOpened(null);
  return (
    <>
      <MoneyPage
        teamSlug={teamSlug}
        title="Billing"
        subtitle={`Balance and payments for ${team.name}`}
        primary={
          <ActionButton {...look} reason={manage.reason} onClick={() => setOpened('funds')}>
            Add funds
          </ActionButton>
        }
        secondary={
          <>
            {manage.allowed && <Button onClick={() => setOpened('code')}>Redeem code</Button>}
            {team.debt && <LinkButton href={debtPath(teamSlug)}>View debt</LinkButton>}
            <LinkButton href={transactionsPath(teamSlug)}>Transactions</LinkButton>
          </>
        }
      >
        <Sections>
          {returned && (
            <CheckoutNotice
              teamSlug={teamSlug}
              {...returned}
              mayManage={manage.allowed}
              onDismiss={onDismiss}
              onLeave={onLeave}
            />
          )}
          {isLoading ? (
            <PageSkeleton part label="Loading billing" cards={3} />
          ) : (
            <>
              <BalancePanel teamSlug={teamSlug} />
              <PaymentsPanel
                teamSlug={teamSlug}
                mayManage={manage.allowed}
                onLeave={onLeave}
                confirmed={returned?.checkout === 'done' ? returned.paymentId : undefined}
              />
              {data?.card_payments && <CardPanel teamSlug={teamSlug} mayManage={manage.allowed} />}
              {data?.usdc_payments && <UsdcPanel teamSlug={teamSlug} mayManage={manage.allowed} />}
              <CreditsPanel teamSlug={teamSlug} />
              <DetailsPanel teamSlug={teamSlug} manage={manage} />
            </>
          )}
        </Sections>
      </MoneyPage>
      {opened === 'funds' && <AddFundsDialog teamSlug={teamSlug} onLeave={onLeave} onClose={close} />}
      {opened === 'code' && <RedeemDialog teamSlug={teamSlug} onClose={close} />}
    </>
  );
}
