import { appPagePath, PUBLIC_PATHS, type Watch } from '../../lib/public/site';
import { Island } from '../islands/Island';
import { WatchLink } from '../islands/WatchLink';
import { Hero, Section, TrustChip } from '../parts';
import { PageLink } from '../siteContext';

/** The target of links in emails to watchers. */
export function WatchPage({ watch, token }: { watch: Watch | null; token: string }) {
  if (!watch)
    return (
      <Hero
        title="This link no longer works"
        lead="It wasn’t confirmed in time, the watch has ended, or part of the link is missing."
      >
        <p>
          Find the app in the{' '}
          <PageLink href={PUBLIC_PATHS.explorer} isInSentence>
            explorer
          </PageLink>{' '}
          to watch it again.
        </p>
      </Hero>
    );
  return (
    <>
      <Hero
        title={`Watch ${watch.app_name}`}
        lead={`${watch.is_webhook ? 'A signed request' : 'An email'} when its Compose file or OS image changes.`}
      >
        <p>
          {watch.trust === null ? (
            'The app isn’t currently published, so it has no page in the explorer.'
          ) : (
            <a href={appPagePath(watch.app_id)}>The app in the explorer</a>
          )}
        </p>
        {watch.trust !== null && <TrustChip trust={watch.trust} />}
      </Hero>
      <Section title={watch.is_webhook ? 'Requests about this app' : 'Email about this app'}>
        <Island
          name="watchLink"
          props={{ token, isConfirmed: watch.is_confirmed, isWebhook: watch.is_webhook }}
        >
          <WatchLink token={token} isConfirmed={watch.is_confirmed} isWebhook={watch.is_webhook} />
        </Island>
      </Section>
    </>
  );
}
