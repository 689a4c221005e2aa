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
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { CrashPage } from './CrashPage';
import { NotFound } from './NotFound';
import { useInsideFrame } from './useInsideFrame';

/** What stands in for a page that could not be shown, by why. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const inside = useInsideFrame();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const retry = () => {
    resetQueries();
    reset();
    void router.invalidate();
  };
  // Failed queries are forgotten, or coming back to this page would show the old failure.
  useEffect(() => resetQueries(), [resetQueries]);

  if (!isApiError(error)) return <CrashPage error={error} onRetry={retry} inside={inside} />;
  if (error.status === 404) return <NotFound />;
  if (error.status === 401) return <Unauthorized inside={inside} />;
  if (error.status === 403) return <Forbidden error={error} inside={inside} />;
  const problem = problemOf(error, 'This page could not be loaded', retry);
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
      title={error.status === 0 ? 'The server cannot be reached' : 'The server cannot answer now'}
      message={error.status === 0 ? 'Check your connection. Your apps are not affected.' : error.message}
      {...(error.request_id === undefined ? {} : { report_id: error.request_id })}
      actions={
        <Button variant="contained" color="primary" onClick={retry}>
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
        <LinkButton href={loginPath(here)} variant="contained" color="primary">
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
          <LinkButton href="/" variant="contained" color="primary">
            Go to the start page
          </LinkButton>
          <Button onClick={() => router.history.back()}>Go back</Button>
        </>
      }
    />
  );
}
