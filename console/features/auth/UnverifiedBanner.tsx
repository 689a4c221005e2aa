import type { SessionUser } from '../../../generated/api/types.gen';
import { useSession } from '../../api/session';
import { Notice } from '../../ui/feedback/Notice';
import { ResendVerification } from './ResendVerification';

/** Over every page of a person whose address is not confirmed: what that stops, and how to go on. */
export function UnverifiedBanner({ user }: { user: SessionUser }) {
  const { features } = useSession();
  return (
    <Notice
      bar
      tone="attention"
      title="Confirm your e-mail address to deploy."
      action={<ResendVerification />}
    >
      {features.mail
        ? `Open the link in the message to ${user.email}.`
        : `This server sends no mail: its administrator finds the link for ${user.email} in the outbox.`}
    </Notice>
  );
}
