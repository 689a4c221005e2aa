import type { SessionDebt, SessionTeam } from '../../generated/api/types.gen';
import { debtPath } from '../lib/paths';
import { LinkButton } from '../ui/controls/Button';
import { RelativeTime } from '../ui/data/RelativeTime';
import { minuteTime } from '../ui/data/time';
import { Notice } from '../ui/feedback/Notice';

interface Props {
  team: SessionTeam;
  debt: SessionDebt;
}

/** What happens to the team's CVMs without a payment, with a link to pay for members with permission. */
export function DebtBanner({ team, debt: { stage, stops_at, deletes_at } }: Props) {
  const pays = team.permissions.includes('billing.manage');
  return (
    <Notice
      bar
      tone={stage === 'grace' ? 'attention' : 'error'}
      title="Payment due."
      action={pays ? <LinkButton href={debtPath(team.slug)}>Settle</LinkButton> : undefined}
    >
      {stage === 'grace' && (
        <>
          CVMs stop on {minuteTime(stops_at)} (<RelativeTime at={stops_at} inWords />
          ).
        </>
      )}
      {stage === 'stopped' && (
        <>
          CVMs are stopped. Their disks are deleted on {minuteTime(deletes_at)} (
          <RelativeTime at={deletes_at} inWords />
          ).
        </>
      )}
      {stage === 'deleted' && 'CVMs and their disks are deleted.'}
      {!pays && ' An owner, admin or billing member can settle it.'}
    </Notice>
  );
}
