import { AllEvents } from './AppEvents';

export function EventsPage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  return <AllEvents teamSlug={teamSlug} appId={appId} />;
}
