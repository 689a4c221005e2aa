import { brandName } from '../../console/ui/brand/installation';
import { Button, LinkButton } from '../../console/ui/controls/Button';
import { PendingButton } from '../../console/ui/controls/PendingButton';
import { useEffect, useState } from 'react';
import type { Session, SsoStart } from '../../generated/api/types.gen';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { FallbackPage } from '../../console/ui/feedback/FallbackPage';
import { useCrumbs } from '../frame/slots';
import { fetchJson, problemOf, statusOf } from '../http';
import { pageErrors } from '../monitoring';
import { adminHref } from '../paths';

const toOverview = (
  <LinkButton href={adminHref.home} variant="contained">
    Go to the overview
  </LinkButton>
);

/** Page for unknown admin addresses. */
export function NotFoundPage({ message }: { message?: string }) {
  useCrumbs([{ label: 'Not found' }]);
  return (
    <FallbackPage
      kind="not_found"
      landmark={false}
      message={message ?? 'This page doesn’t exist, or the record was removed.'}
      actions={toOverview}
    />
  );
}

/** Page that the user's platform role doesn't allow; `reason` names the missing permission. */
export function RefusedPage({ reason }: { reason: string }) {
  useCrumbs([{ label: 'Not allowed' }]);
  return (
    <FallbackPage
      kind="forbidden"
      landmark={false}
      title="Your platform role doesn’t allow this page"
      message={reason}
      actions={toOverview}
    />
  );
}

const toConsole = (
  <LinkButton href="/" variant="contained">
    Go to the console
  </LinkButton>
);

/** Page for signed-in users without a platform role, or whose role isn't active in this session. */
export function ForbiddenPage({ session }: { session: Session }) {
  const { user, platform_role_refused, features } = session;
  useEffect(() => {
    document.title = `Not allowed · ${brandName()}`;
  }, []);
  if (platform_role_refused === 'sign_on' && features.staff_sign_on !== null)
    return <SignOnPage name={features.staff_sign_on} />;
  if (platform_role_refused === 'network')
    return (
      <FallbackPage
        kind="forbidden"
        title="Your platform role isn’t valid from your network"
        message="Connect to a network listed in ADMIN_NETWORKS, such as your company’s VPN."
        actions={toConsole}
      />
    );
  return (
    <FallbackPage
      kind="forbidden"
      title="The admin area is for platform staff"
      message={`You’re signed in as ${user?.email ?? ''}, which has no platform role. Ask an administrator for one.`}
      actions={toConsole}
    />
  );
}

/** Sends staff to their provider, which returns to the admin area. */
function SignOnPage({ name }: { name: string }) {
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      const body = JSON.stringify({ staff: true, next: adminHref.home });
      const { json } = await fetchJson('/api/v1/auth/sso/start', { method: 'POST', body });
      location.assign((json as SsoStart).authorization_url);
    } catch (error) {
      setBusy(false);
      setFailure(error);
    }
  };
  return (
    <FallbackPage
      kind="forbidden"
      title={`Sign in with ${name}`}
      message="Your platform role applies only after staff single sign-on."
      actions={
        <>
          {failure !== undefined && <ErrorNotice problem={problemOf(failure, 'Couldn’t sign in')} />}
          <PendingButton variant="contained" pending={busy} onClick={leave}>
            {name}
          </PendingButton>
          <LinkButton href="/">Go to the console</LinkButton>
        </>
      }
    />
  );
}

/** Page for an unexpected error in the page, reported once with an ID to quote. */
export function CrashPage({ error, landmark = false }: { error: unknown; landmark?: boolean }) {
  const [report] = useState(() => pageErrors.report(error));
  return (
    <FallbackPage
      kind="application_error"
      landmark={landmark}
      message="This page failed. The fleet isn’t affected. Reload the page; if the error persists, find it by its ID under Monitoring events."
      report_id={report}
      actions={
        <Button variant="contained" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  );
}

/** Page for a record that is missing, forbidden or failed to load. */
export function RecordProblem({ error, title, retry }: { error: unknown; title: string; retry: () => void }) {
  const status = statusOf(error);
  if (status === 404) return <NotFoundPage message={error instanceof Error ? error.message : ''} />;
  if (status === 403)
    return (
      <FallbackPage
        kind="forbidden"
        landmark={false}
        title="Your platform role doesn’t allow this page"
        actions={toOverview}
      />
    );
  return <ErrorNotice problem={problemOf(error, title, retry)} />;
}
