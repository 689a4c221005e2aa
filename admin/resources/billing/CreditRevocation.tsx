import { useGetOne } from 'react-admin';
import type { AdminWorkspace } from '../../../generated/api/types.gen';
import { plain } from '../../schema/value';
import type { AdminRecord } from '../../record';
import { FundsNotice } from './FundsNotice';
import { Note, Notes } from './noticeStyles';
import { revocationText } from './revocationText';

/** Shown before a credit is revoked: its team, and how much the team loses. */
export function CreditRevocation({ record }: { record: AdminRecord }) {
  const { amount, remaining, team_id } = record;
  const { data: team } = useGetOne<AdminWorkspace>(
    'workspaces',
    { id: Number(team_id) },
    { onError: () => undefined },
  );
  return (
    <>
      <Notes>
        <Note>
          {revocationText({ amount: plain(amount), remaining: plain(remaining) }, team?.name ?? 'The team')}
        </Note>
      </Notes>
      <FundsNotice record={record} />
    </>
  );
}
