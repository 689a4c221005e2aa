import { Button, LinkButton } from '../../../ui/controls/Button';
import { useEffect, useRef, type ReactNode } from 'react';
import { useSession } from '../../../api/session';
import { loginPath } from '../../../lib/paths';
import { Notice } from '../../../ui/feedback/Notice';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { Email, Stack, Text } from './authElements';

interface Props {
  email: string;
  /** What the message contains. */
  what: ReactNode;
  /** What to do if no message arrives. */
  again: ReactNode;
  next?: string | undefined;
  /** Returns to the form, for a mistyped address. */
  onBack: () => void;
}

/** Confirms that a message was sent, with advice if it doesn't arrive. */
export function MailSent({ email, what, again, next, onBack }: Props) {
  const { features } = useSession();
  const start = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone, so the card takes it.
  useEffect(() => start.current?.focus(), []);
  return (
    <div ref={start} tabIndex={-1} style={{ outline: 0, width: '100%', maxWidth: 400 }}>
      <PublicCard title="Check your email" subtitle={what}>
        <Stack>
          {features.mail ? (
            <Text>{again}</Text>
          ) : (
            <Notice tone="attention" title="This server doesn’t send email.">
              Ask an administrator for the link: the message to <Email>{email}</Email> is in the admin area’s
              outbox.
            </Notice>
          )}
          <LinkButton href={loginPath(next)} variant="contained" fullWidth>
            Go to sign in
          </LinkButton>
          <Button fullWidth onClick={onBack}>
            Use another address
          </Button>
        </Stack>
      </PublicCard>
    </div>
  );
}
