import Button from '@mui/material/Button';
import { useState } from 'react';
import { reportError } from '../../monitoring';
import { FallbackPage } from '../../ui/feedback/FallbackPage';

interface Props {
  error: unknown;
  onRetry?: () => void;
  /** Whether the shell is around. */
  inside?: boolean;
}

/** A fault of the page itself: reported once, with an id to quote. */
export function CrashPage({ error, onRetry, inside = false }: Props) {
  // The same fault has the same report, however often it is rendered.
  const [report] = useState(() => reportError(error));
  return (
    <FallbackPage
      kind="application_error"
      landmark={!inside}
      report_id={report}
      actions={
        <>
          <Button variant="contained" color="primary" onClick={() => location.reload()}>
            Reload
          </Button>
          {onRetry && <Button onClick={onRetry}>Try again without reloading</Button>}
        </>
      }
    />
  );
}
