import Button from '@mui/material/Button';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isApiError, type ApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { loginPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { CrashPage } from './CrashPage';
import { insideFrame, NotFound } from './NotFound';

/** What stands in for a page that could not be shown, by why. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const retry = () => {
    resetQueries();
    reset();
    void router.invalidate();
  };
  // Failed queries are forgotten, or coming back to this page would show the old failure.
  useEffect(() => resetQueries(), [resetQueries]);

  if (!isApiError(error)) return <CrashPage error={error} onRetry={retry} />;
  if (error.status === 404) return <NotFound />;
  if (error.status === 401) return <Unauthorized />;
  if (error.status === 403) return <Forbidden error={error} />;
  const problem = problemOf(error, 'This page could not be loaded', retry);
  return problem && <ErrorNotice problem={problem} />;
}

function Unauthorized() {
  const here = location.pathname + location.search;
  return (
    <FallbackPage
      kind="unauthorized"
      landmark={!insideFrame()}
      actions={
        <LinkButton href={loginPath(here)} variant="contained" color="primary">
          Sign in
        </LinkButton>
      }
    />
  );
}

function Forbidden({ error }: { error: ApiError }) {
  const router = useRouter();
  return (
    <FallbackPage
      kind="forbidden"
      landmark={!insideFrame()}
      message={`${error.message} An owner or admin of the team can change your role.`}
      {...(error.request_id === undefined ? {} : { report_id: error.request_id })}
      actions={
        <>
          <LinkButton href="/" variant="contained" color="primary">
            Go to the start page
          </LinkButton>
          <Button onClick={() => router.history.back()}>Go back</Button>
        </>
      }
    />
  );
}
