import { LinkButton } from '../../../ui/controls/Button';
import type { DeviceAuthorization } from '../../../../generated/api/types.gen';
import { PublicCard } from '../../../ui/layout/PublicFrame';

const texts: Record<Exclude<DeviceAuthorization['state'], 'pending'>, { title: string; text: string }> = {
  approved: {
    title: 'Login approved',
    text: 'Return to your terminal, which continues within a few seconds. You can close this page.',
  },
  denied: {
    title: 'Login denied',
    text: 'The command line wasn’t granted access. If you didn’t start this login, you don’t need to do anything else.',
  },
  expired: {
    title: 'This code has expired',
    text: 'Start the login in your terminal again to get a new code.',
  },
};

export function Outcome({
  state,
  team,
}: {
  state: Exclude<DeviceAuthorization['state'], 'pending'>;
  team?: string;
}) {
  const { title, text } = texts[state];
  return (
    <PublicCard
      title={title}
      subtitle={state === 'approved' && team !== undefined ? `Limited to ${team}. ${text}` : text}
    >
      <LinkButton href="/" fullWidth>
        Open the console
      </LinkButton>
    </PublicCard>
  );
}
