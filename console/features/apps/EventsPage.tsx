import { AppEvents } from './AppEvents';

/** What happened to the app and its CVMs, newest first. */
export function EventsPage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  return <AppEvents teamSlug={teamSlug} appId={appId} />;
}
