import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getWorkspaceOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { SecondFactorRule } from './SecondFactorRule';

/** What the team asks of its people before it lets them in. */
export function SecurityTab({ teamSlug, sso }: { teamSlug: string; sso: ReactNode }) {
  const { data, error, refetch } = useQuery(getWorkspaceOptions({ path: { slug: teamSlug } }));
  const problem = problemOf(data ? null : error, 'The settings could not be read', () => void refetch());
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      {data ? (
        <SecondFactorRule teamSlug={teamSlug} required={data.require_second_factor} />
      ) : (
        !problem && <RowsSkeleton rows={3} />
      )}
      {sso}
    </>
  );
}
