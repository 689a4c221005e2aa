import { Revisions } from './Revisions';

/** What was deployed, newest first. */
export function RevisionsPage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  return <Revisions teamSlug={teamSlug} appId={appId} />;
}
