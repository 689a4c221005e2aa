import type { ReactNode } from 'react';
import { useProblem } from '../../../api/useProblem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { Stack } from './authElements';

interface Props {
  title: string;
  subtitle: ReactNode;
  /** The button's label while idle and while it works. */
  label: string;
  busyLabel: string;
  busy: boolean;
  onAct: () => void;
  error: unknown;
  /** Title of the error. */
  failed: string;
  /** Alternatives, below the button. */
  children: ReactNode;
}

/** Requires a click before a link is used, because mail scanners and previews open links, too. */
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
        <PendingButton
          variant="contained"
          fullWidth
          autoFocus
          pending={busy}
          disabled={waitSeconds !== undefined}
          onClick={onAct}
        >
          {waitSeconds !== undefined ? `Try again in ${waitSeconds} s` : busy ? busyLabel : label}
        </PendingButton>
        {children}
      </Stack>
    </PublicCard>
  );
}
