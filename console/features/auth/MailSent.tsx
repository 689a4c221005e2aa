import { useEffect, useRef, type ReactNode } from 'react';
import { useSession } from '../../api/session';
import { loginPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { Notice } from '../../ui/feedback/Notice';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { Email, Stack, Text } from './parts';

interface Props {
  email: string;
  /** What the message contains. */
  what: ReactNode;
  /** What to do when it does not come. */
  again: ReactNode;
  next?: string | undefined;
}

/** After a form that ends in a message: where it went, and what to do without it. */
export function MailSent({ email, what, again, next }: Props) {
  const { features } = useSession();
  const start = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => start.current?.focus(), []);
  return (
    <div ref={start} tabIndex={-1} style={{ outline: 0, width: '100%', maxWidth: 400 }}>
      <PublicCard title="Check your e-mail" subtitle={what}>
        <Stack>
          {features.mail ? (
            <Text>{again}</Text>
          ) : (
            <Notice tone="attention" title="This server sends no mail.">
              Ask its administrator: they find the message to <Email>{email}</Email> in the outbox of the
              admin area, and can give you the link.
            </Notice>
          )}
          <LinkButton href={loginPath(next)} variant="contained" color="primary" fullWidth>
            Go to sign in
          </LinkButton>
        </Stack>
      </PublicCard>
    </div>
  );
}
