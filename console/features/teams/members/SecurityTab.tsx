import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getWorkspaceOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { loadProblem } from '../../../api/problem';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { Sections } from '../../../ui/layout/Sections';
import { SecondFactorRule } from './SecondFactorRule';

/** The team's sign-in policy. */
export function SecurityTab({ teamSlug, sso }: { teamSlug: string; sso: ReactNode }) {
  const { data, error, refetch } = useQuery(getWorkspaceOptions({ path: { slug: teamSlug } }));
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load the settings');
  return (
    <Sections>
      {problem && <ErrorNotice problem={problem} />}
      {data ? <SecondFactorRule teamSlug={teamSlug} team={data} /> : !problem && <RowsSkeleton rows={3} />}
      {sso}
    </Sections>
  );
}
