import { CvmsTable } from './CvmsTable';

export function UsagePage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  return <CvmsTable teamSlug={teamSlug} appId={appId} />;
}
