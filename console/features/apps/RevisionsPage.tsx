import { Compare } from './revisions/CompareRevisions';
import type { RevisionsSearch } from './revisions/search';
import { Revisions } from './Revisions';
import { RolloutsPanel } from './rollouts/RolloutsPanel';

interface Props {
  teamSlug: string;
  appId: string;
  search: RevisionsSearch;
}

/** What was deployed, newest first; two of them compared; how the updates of all CVMs went. */
export function RevisionsPage({ teamSlug, appId, search: { from, to, page = 1 } }: Props) {
  return (
    <>
      {to !== undefined && <Compare teamSlug={teamSlug} appId={appId} from={from} to={to} />}
      <Revisions teamSlug={teamSlug} appId={appId} page={page} />
      <RolloutsPanel teamSlug={teamSlug} appId={appId} ended />
    </>
  );
}
