import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { reportError } from '../../monitoring';
import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { insideFrame } from './NotFound';

/** A fault of the page itself: reported once, with an id to quote. */
export function CrashPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const [report, setReport] = useState<string>();
  useEffect(() => setReport(reportError(error)), [error]);
  return (
    <FallbackPage
      kind="application_error"
      landmark={!insideFrame()}
      {...(report === undefined ? {} : { report_id: report })}
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
