import { Compare } from './revisions/CompareRevisions';
import type { RevisionsSearch } from './revisions/search';
import { Revisions } from './Revisions';
import { RolloutsPanel } from './rollouts/RolloutsPanel';
import { Sections } from '../../ui/layout/Sections';

interface Props {
  teamSlug: string;
  appId: string;
  search: RevisionsSearch;
}

/** The app's revisions, their comparison, and past rollouts. */
export function RevisionsPage({ teamSlug, appId, search: { from, to, page = 1 } }: Props) {
  return (
    <Sections>
      {to !== undefined && <Compare teamSlug={teamSlug} appId={appId} from={from} to={to} />}
      <Revisions teamSlug={teamSlug} appId={appId} page={page} />
      <RolloutsPanel teamSlug={teamSlug} appId={appId} ended />
    </Sections>
  );
}
