import { useGetOne, useParams } from 'react-admin';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { problemOf } from '../../http';
import { ListPage } from '../../lists/ListPage';
import { isHidden, recordState, viewRecord } from '../../pages/recordView';
import { adminHref } from '../../paths';
import { titleOf, type AdminRecord } from '../../record';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';
import { useUserBilling } from './useUserBilling';

/** The ledger of the teams a user pays for. */
export function UserTransactions({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const {
    data: user,
    error,
    refetch,
  } = useGetOne<AdminRecord>(resource.name, { id }, { retry: false, onError: () => undefined });
  const billing = useUserBilling(user?.id);
  const view = viewRecord(resource, { record: user, error, refetch });
  if (!view.record) return view.page;
  const state = recordState(billing.data !== undefined, billing.error);
  const retry = () => void billing.refetch();
  if (isHidden(state))
    return <ErrorNotice problem={problemOf(billing.error, 'Couldn’t load the transactions', retry)} />;
  if (!billing.data) return <PageSkeleton label="Loading transactions" />;
  const teams = billing.data.teams.map(({ team_id }) => team_id);
  return (
    <>
      {view.notice}
      {state === 'stale' && (
        <ErrorNotice problem={problemOf(billing.error, 'Couldn’t refresh the user’s teams', retry)} />
      )}
      <ListPage
        resource={getResource('transactions')}
        // For a user who pays for no team, filters by a team that doesn't exist.
        fixed={{ team_id: teams.length === 0 ? [0] : teams }}
        crumbs={[
          { label: resource.label, href: adminHref.list(resource.name) },
          { label: titleOf(resource, view.record), href: adminHref.show(resource.name, id) },
          { label: 'Transactions' },
        ]}
      />
    </>
  );
}
