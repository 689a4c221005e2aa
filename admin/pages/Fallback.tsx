import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { FallbackPage } from '../../console/ui/feedback/FallbackPage';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { useCrumbs } from '../frame/slots';
import { problemOf, statusOf } from '../http';
import { reportError } from '../monitoring';
import { adminHref } from '../paths';
import type { ResourceDescription } from '../schema/types';

const toOverview = (
  <LinkButton href={adminHref.home} variant="contained" color="primary">
    Go to the overview
  </LinkButton>
);

/** An address of the admin area that is nobody's. */
export function NotFoundPage({ message }: { message?: string }) {
  useCrumbs([{ label: 'Not found' }]);
  return (
    <FallbackPage
      kind="not_found"
      landmark={false}
      message={message ?? 'No page of the admin area has this address, or what it showed was removed.'}
      actions={toOverview}
    />
  );
}

/** A page that this person's platform role does not open; `reason` names what is missing. */
export function RefusedPage({ reason }: { reason: string }) {
  useCrumbs([{ label: 'Not allowed' }]);
  return (
    <FallbackPage
      kind="forbidden"
      landmark={false}
      title="Your platform role does not allow this page"
      message={reason}
      actions={toOverview}
    />
  );
}

/** Signed in, but not as somebody who runs this server. */
export function ForbiddenPage({ email }: { email: string }) {
  useEffect(() => {
    document.title = 'Not allowed · Teehouse';
  }, []);
  return (
    <FallbackPage
      kind="forbidden"
      title="The admin area is for the people who run this server"
      message={`You are signed in as ${email}, which has no platform role. An administrator can give you one.`}
      actions={
        <LinkButton href="/" variant="contained" color="primary">
          Go to the console
        </LinkButton>
      }
    />
  );
}

/** A fault of the page itself: reported once, with an id to quote. */
export function CrashPage({ error, landmark = false }: { error: unknown; landmark?: boolean }) {
  const [report] = useState(() => reportError(error));
  return (
    <FallbackPage
      kind="application_error"
      landmark={landmark}
      message="A fault in the page, not in the fleet: what runs keeps running. Reloading usually helps. The fault was reported; the id finds it under error reports."
      report_id={report}
      actions={
        <Button variant="contained" color="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  );
}

/** Instead of what shows a record: why it could not be read or, until it was, the outline of the page. */
export function Unread({
  resource: { singular },
  error,
  retry,
}: {
  resource: Pick<ResourceDescription, 'singular'>;
  error: unknown;
  retry: () => unknown;
}) {
  if (error)
    return (
      <RecordProblem error={error} title={`The ${singular} could not be read`} retry={() => void retry()} />
    );
  return <PageSkeleton label={`Loading the ${singular}`} />;
}

/** An id that no record has: some are numbers, and the server says so with 422. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404 || statusOf(error) === 422;

/** A record that cannot be shown: gone, not allowed, or the server did not answer. */
export function RecordProblem({ error, title, retry }: { error: unknown; title: string; retry: () => void }) {
  const status = statusOf(error);
  if (status === 404) return <NotFoundPage message={error instanceof Error ? error.message : ''} />;
  if (status === 403)
    return (
      <FallbackPage
        kind="forbidden"
        landmark={false}
        title="Your platform role does not allow this page"
        actions={toOverview}
      />
    );
  return <ErrorNotice problem={problemOf(error, title, retry)} />;
}
