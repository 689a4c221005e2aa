import type { SessionUser } from '../../../../generated/api/types.gen';
import { useSession } from '../../../api/session';
import { confirmAddressText } from '../../../lib/texts/confirmAddress';
import { Notice } from '../../../ui/feedback/Notice';
import { ResendVerification } from './ResendVerification';

/** Tells users with an unconfirmed address that they can't deploy yet, and how to confirm it. */
export function UnverifiedBanner({ user }: { user: SessionUser }) {
  const { features } = useSession();
  return (
    <Notice
      bar
      tone="attention"
      title="Confirm your email address to deploy."
      action={<ResendVerification />}
    >
      {confirmAddressText(features.mail, user.email)}
    </Notice>
  );
}
