import { exactUsd, roundedUsd } from '../../lib/billing/money';
import { overdraftText } from '../../lib/billing/overdraft';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { Billing } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { balanceOptions } from '../../api/runway';
import { useSession } from '../../api/session';
import { Cost } from '../../ui/data/Cost';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { balanceLasts, nextRate } from './nextRate';
import { WelcomeNotice } from './WelcomeNotice';

const Stack = styled('div')({ display: 'grid', gap: space(4) });

/** The current balance, its composition and how long it lasts. */
export function BalancePanel({ teamSlug }: { teamSlug: string }) {
  const { data, error, refetch } = useQuery(balanceOptions(teamSlug));
  const problem = problemOf(error, 'Couldn’t load the balance', () => void refetch());
  const { billing: isEnforced } = useSession().features;
  const overdraft = data ? overdraftText(data) : null;
  return (
    <Panel title="Balance" framed>
      {data ? (
        <Stack>
          {!isEnforced && (
            <Notice tone="neutral" title="Billing is off on this server.">
              Usage is recorded and priced, but a negative balance isn’t a debt: nothing is blocked or
              stopped.
            </Notice>
          )}
          <KeyValue facts={factsOf(data, isEnforced)} />
          {overdraft !== null && (
            <Notice tone="attention" title="Prepaid funds are overdrawn.">
              {overdraft}
            </Notice>
          )}
          <WelcomeNotice billing={data} />
          {data.waiting_bonuses.map(({ code, percent, cap }) => (
            <Notice key={code} tone="ok" title={`Code ${code}`}>
              Your next payment earns a {percent}% bonus in credit, up to <Cost usd={cap} />.
            </Notice>
          ))}
        </Stack>
      ) : problem ? (
        <ErrorNotice problem={problem} />
      ) : (
        <RowsSkeleton rows={2} />
      )}
    </Panel>
  );
}

/** Shows cents; the title has the exact amount. */
const Rounded = ({ usd }: { usd: string }) => <span title={exactUsd(usd)}>{exactUsd(roundedUsd(usd))}</span>;

function CostNow({ billing }: { billing: Billing }) {
  const next = nextRate(billing);
  return (
    <>
      <Cost usd={billing.hourly_rate} per="hour" />
      {next !== null && <> · {next}</>}
    </>
  );
}

const factsOf = (billing: Billing, isEnforced: boolean): Fact[] => [
  {
    label: 'Balance',
    value: (
      <strong>
        <Rounded usd={billing.balance} />
      </strong>
    ),
  },
  { label: 'Prepaid', value: <Rounded usd={billing.prepaid} /> },
  {
    label: 'Credits',
    value: (
      <>
        <Rounded usd={billing.credits} />
        {billing.credits_expire && (
          <>
            {' '}
            · <Rounded usd={billing.credits_expire.amount} /> expires{' '}
            <RelativeTime at={billing.credits_expire.expires_at} inWords />
          </>
        )}
      </>
    ),
  },
  { label: 'Used since the last full hour', value: <Rounded usd={billing.accrued} /> },
  { label: 'Current cost', value: <CostNow billing={billing} /> },
  // Without billing, nothing happens when the balance runs out.
  ...(!isEnforced && billing.runway_seconds === 0
    ? []
    : [{ label: 'Balance lasts', value: balanceLasts(billing) }]),
];
