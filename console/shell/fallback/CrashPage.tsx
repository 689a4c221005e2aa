import { Button } from '../../ui/controls/Button';
import { useState } from 'react';
import { pageErrors } from '../../monitoring';
import { FallbackPage } from '../../ui/feedback/FallbackPage';

interface Props {
  error: unknown;
  onRetry?: () => void;
  /** Whether the page is inside the shell. */
  inside?: boolean;
}

/** Shown when a page crashes. The error is reported once, with an ID to quote. */
export function CrashPage({ error, onRetry, inside = false }: Props) {
  // Memoized, so that re-rendering doesn't report the same error again.
  const [report] = useState(() => pageErrors.report(error));
  return (
    <FallbackPage
      kind="application_error"
      landmark={!inside}
      report_id={report}
      actions={
        <>
          <Button variant="contained" onClick={() => location.reload()}>
            Reload
          </Button>
          {onRetry && <Button onClick={onRetry}>Try again without reloading</Button>}
        </>
      }
    />
  );
}
