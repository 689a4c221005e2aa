import type { ReactNode } from 'react';
import { useProblem } from '../../../api/useProblem';
import { Button } from '../../../ui/controls/Button';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { Stack } from './authElements';

interface Props {
  title: string;
  subtitle: ReactNode;
  /** The button, and what it says while it works. */
  label: string;
  busyLabel: string;
  busy: boolean;
  onAct: () => void;
  error: unknown;
  /** Title of the error. */
  failed: string;
  /** Other choices, below the button. */
  children: ReactNode;
}

/** Asks for a click before a link is used. Mail scanners and previews open links, too, which must not use them up. */
export function LinkActionCard({
  title,
  subtitle,
  label,
  busyLabel,
  busy,
  onAct,
  error,
  failed,
  children,
}: Props) {
  const { problem, waitSeconds } = useProblem(error, failed);
  return (
    <PublicCard title={title} subtitle={subtitle}>
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        <Button
          variant="contained"
          fullWidth
          autoFocus
          disabled={busy || waitSeconds !== undefined}
          startIcon={busy ? <Spinner /> : undefined}
          onClick={onAct}
        >
          {waitSeconds !== undefined ? `Try again in ${waitSeconds} s` : busy ? busyLabel : label}
        </Button>
        {children}
      </Stack>
    </PublicCard>
  );
}
