import { Button, LinkButton } from '../../../ui/controls/Button';
import type { Preflight } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { billingPath, costPath } from '../../../lib/paths';
import type { Room } from '../../../lib/texts/roomText';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { NotifyWhenFree } from '../gpus/NotifyWhenFree';

interface Props {
  teamSlug: string;
  preflight: Preflight | undefined;
  error: unknown;
  /** What a host must have free for the chosen size; null if there is nothing to wait for. */
  room: Room | null;
  /** The size to offer when the server names no smaller one. */
  fallback: string | null;
  onSize: (instance_type: string) => void;
  onAnywhere: (() => void) | undefined;
}

const LIMITS = {
  quota: 'This exceeds your team’s quota.',
  funds: 'Your team doesn’t have enough funds.',
  budget: 'A budget is used up.',
  capacity: 'No host has capacity for this size.',
};

/** Short forms, beside the button. */
const SHORT: typeof LIMITS & { access: string } = {
  quota: 'Over quota',
  funds: 'Not enough funds',
  budget: 'Budget used up',
  capacity: 'No capacity',
  access: 'Can’t deploy here',
};

/** Why the form can't be deployed as filled in. Renders nothing if it can. */
export function RefusalChip({ refusal }: Pick<Preflight, 'refusal'>) {
  return (
    refusal && (
      <ToneChip quiet tone="attention" glyph="warning" title={refusal.reason}>
        {SHORT[refusal.limit]}
      </ToneChip>
    )
  );
}

/** Whether the size fits now. If not, shows which limit applies and offers the closest fix. */
export function PreflightPanel({ teamSlug, preflight, error, room, fallback, onSize, onAnywhere }: Props) {
  if (error) {
    const problem = problemOf(error, 'You can’t deploy here');
    return problem && <ErrorNotice problem={problem} />;
  }
  if (!preflight) return null;
  const { refusal, teepod_name, os_image, guest_fields } = preflight;
  // Warnings with a line are shown in the editor.
  const general = preflight.warnings.filter(({ line }) => line === null);
  if (refusal === null)
    return (
      <Notice tone="ok">
        Capacity available{teepod_name === null ? '' : ` on ${teepod_name}`}.{' '}
        {guest_fields.length > 0 &&
          `This host and ${os_image ?? 'its OS image'} support ${guest_fields.join(', ')}. `}
        Nothing is reserved until you deploy.
        {general.map(({ kind, message }) => (
          <div key={kind}>{message}</div>
        ))}
      </Notice>
    );
  // The notice above the form already says it, and the form is unusable.
  if (refusal.limit === 'access') return null;
  if ((refusal.limit === 'funds' || refusal.limit === 'budget') && refusal.next_smaller === null)
    return <MoneyRefusal teamSlug={teamSlug} limit={refusal.limit} reason={refusal.reason} />;
  const smaller = refusal.next_smaller ?? (refusal.limit === 'capacity' ? fallback : null);
  return (
    <Notice
      tone="attention"
      title={LIMITS[refusal.limit]}
      action={
        smaller !== null ? (
          <Button size="small" style={{ flex: 'none' }} onClick={() => onSize(smaller)}>
            Use {smaller}
          </Button>
        ) : (
          onAnywhere && (
            <Button size="small" style={{ flex: 'none' }} onClick={onAnywhere}>
              Use any host
            </Button>
          )
        )
      }
    >
      {refusal.reason}{' '}
      {smaller === null
        ? `No instance type fits ${onAnywhere ? 'there ' : ''}right now.`
        : `${smaller} is the largest instance type that fits.`}
      {refusal.limit === 'capacity' && room !== null && <NotifyWhenFree teamSlug={teamSlug} room={room} />}
    </Notice>
  );
}

interface MoneyRefusalProps {
  teamSlug: string;
  limit: 'funds' | 'budget';
  reason: string;
}

/** Another size or host doesn't help: links to members who can pay, or to the budget. */
function MoneyRefusal({ teamSlug, limit, reason }: MoneyRefusalProps) {
  const pay = useMay('billing.manage', teamSlug);
  const [label, href] =
    limit === 'funds' ? ['Add funds', billingPath(teamSlug)] : ['View budgets', costPath(teamSlug)];
  return (
    <Notice
      tone="attention"
      title={LIMITS[limit]}
      action={
        pay.allowed && (
          <LinkButton size="small" style={{ flex: 'none' }} href={href}>
            {label}
          </LinkButton>
        )
      }
    >
      {reason}{' '}
      {!pay.allowed &&
        `An owner, admin or billing member of the team can ${limit === 'funds' ? 'add funds' : 'raise the budget'}.`}
    </Notice>
  );
}
