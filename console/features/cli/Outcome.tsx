import type { DeviceAuthorization } from '../../../generated/api/types.gen';
import { LinkButton } from '../../ui/controls/LinkButton';
import { PublicCard } from '../../ui/layout/PublicFrame';

const texts: Record<Exclude<DeviceAuthorization['state'], 'pending'>, { title: string; text: string }> = {
  approved: {
    title: 'Login approved',
    text: 'Return to your terminal: it continues by itself within a few seconds. You can close this page.',
  },
  denied: {
    title: 'Login denied',
    text: 'The command line was refused. If you did not start it, nothing else is to do: it got no access.',
  },
  expired: {
    title: 'This code has expired',
    text: 'Start the login in your terminal again; it shows a new code.',
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
      subtitle={state === 'approved' && team !== undefined ? `It acts for ${team}. ${text}` : text}
    >
      <LinkButton href="/" fullWidth>
        Open the console
      </LinkButton>
    </PublicCard>
  );
}
