import { Button, LinkButton } from '../../ui/controls/Button';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { failedRead, isApiError, type ApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { isLoadFailure } from '../../lib/importWithRetry';
import { loginPath } from '../../lib/paths';
import { retryUnanswered } from '../../lib/recovery';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { CrashPage } from './CrashPage';
import { LoadFailure } from './LoadFailure';
import { NotFound } from './NotFound';
import { useInsideFrame } from './useInsideFrame';

/** Replaces a page that failed to load, depending on the error. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const inside = useInsideFrame();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const retry = () => {
    resetQueries();
    reset();
    void router.invalidate();
  };
  const retried = useEffectEvent(retry);
  useEffect(() => retryUnanswered(failedRead(error), () => retried()), [error]);
  // Failed queries are removed, or returning to this page would show the old error.
  useEffect(() => resetQueries(), [resetQueries]);

  if (isLoadFailure(error)) return <LoadFailure onRetry={retry} inside={inside} />;
  if (!isApiError(error)) return <CrashPage error={error} onRetry={retry} inside={inside} />;
  if (error.status === 404) return <NotFound />;
  if (error.status === 401) return <Unauthorized inside={inside} />;
  if (error.status === 403) return <Forbidden error={error} inside={inside} />;
  const problem = problemOf(error, 'Couldn’t load this page', retry);
  if (inside)
    return (
      problem && (
        <>
          <VisuallyHidden as="h1">{problem.title}</VisuallyHidden>
          <ErrorNotice problem={problem} />
        </>
      )
    );
  return (
    <FallbackPage
      kind="application_error"
      title={error.status === 0 ? 'Can’t reach the server' : 'The server is unavailable'}
      message={error.status === 0 ? 'Check your connection. Your apps aren’t affected.' : error.message}
      {...(error.request_id === undefined ? {} : { report_id: error.request_id })}
      actions={
        <Button variant="contained" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}

function Unauthorized({ inside }: { inside: boolean }) {
  const here = location.pathname + location.search;
  return (
    <FallbackPage
      kind="unauthorized"
      landmark={!inside}
      actions={
        <LinkButton href={loginPath(here)} variant="contained">
          Sign in
        </LinkButton>
      }
    />
  );
}

function Forbidden({ error, inside }: { error: ApiError; inside: boolean }) {
  const router = useRouter();
  return (
    <FallbackPage
      kind="forbidden"
      landmark={!inside}
      message={`${error.message} An owner or admin of the team can change your role.`}
      {...(error.request_id === undefined ? {} : { report_id: error.request_id })}
      actions={
        <>
          <LinkButton href="/" variant="contained">
            Go to the home page
          </LinkButton>
          <Button onClick={() => router.history.back()}>Go back</Button>
        </>
      }
    />
  );
}
