import { useSuspenseQuery } from '@tanstack/react-query';
import { PageHeader } from '../../ui/layout/PageHeader';
import { CvmsTable } from './CvmsTable';
import { appOptions } from './queries';

interface Props {
  teamSlug: string;
  appId: string;
  /** Whether the page has no app header above it. */
  titled?: boolean;
}

/** The app's replicas. */
export function CvmsPage({ teamSlug, appId, titled = false }: Props) {
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  return (
    <>
      {titled && <PageHeader title={`CVMs · ${app.name}`} />}
      <CvmsTable teamSlug={teamSlug} appId={appId} />
    </>
  );
}
