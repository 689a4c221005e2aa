import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-admin';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { internalOf } from '../frame/RouterLink';
import { adminHref } from '../paths';
import type { ResourceDescription } from '../schema/types';
import { readView } from './views';
import { RecordProblem } from '../pages/Fallback';
import { viewQuery } from './listQuery';

/** Replaces `?view=7` with the view's own query, so that the address determines what is shown. */
export function OpenView({ id, resource }: { id: string; resource: ResourceDescription }) {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const go = useEffectEvent((href: string) => navigate(internalOf(href), { replace: true }));
  useEffect(() => {
    let current = true;
    readView(id).then(
      (view) => {
        if (!current) return;
        go(`${adminHref.list(view.resource)}?${viewQuery(view.query)}`);
      },
      (error: unknown) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [id, attempt]);
  if (failure === undefined) return <PageSkeleton label={`Loading ${resource.label}`} />;
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return <RecordProblem error={failure} title="Couldn’t open the saved view" retry={retry} />;
}
