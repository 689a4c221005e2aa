import site from '../site.module.css';
import { useSending } from './useSending';

interface WatchLinkProps {
  token: string;
  isConfirmed: boolean;
  isWebhook: boolean;
}

/** Confirms or ends a watch. This requires a click, because mail programs open links, too. */
export function WatchLink({ token, isConfirmed, isWebhook }: WatchLinkProps) {
  const confirming = useSending('open');
  const ending = useSending('open');
  const query = `?token=${encodeURIComponent(token)}`;
  const hasEnded = ending.state.step === 'sent';
  const isWatching = isConfirmed || confirming.state.step === 'sent';
  const isBusy = confirming.state.step === 'busy' || ending.state.step === 'busy';
  const failed = [ending.state, confirming.state].find(({ step }) => step === 'failed');
  const stop = isWatching ? 'Stop watching' : 'Delete my address';
  return (
    <>
      <p role="status">
        {hasEnded
          ? isWebhook
            ? 'The URL was deleted. No more requests are sent to it.'
            : 'Your address was deleted. We won’t email you again. For a week, it can’t be used to watch this app again.'
          : isWatching
            ? isWebhook
              ? 'Your receiver gets a request when this app changes.'
              : 'You’re watching this app and get an email when it changes.'
            : 'Confirm that this is your address and you want these emails.'}
      </p>
      {!hasEnded && (
        <p className={site.actions}>
          {!isWatching && (
            <button
              type="button"
              className={site.button}
              aria-disabled={isBusy}
              onClick={() => !isBusy && confirming.send(`/explorer/watches/confirm${query}`)}
            >
              {confirming.state.step === 'busy' ? 'Confirming…' : 'Start watching'}
            </button>
          )}
          <button
            type="button"
            className={site.quiet}
            aria-disabled={isBusy}
            onClick={() => !isBusy && ending.send(`/explorer/watches/end${query}`)}
          >
            {ending.state.step === 'busy' ? 'Deleting…' : stop}
          </button>
        </p>
      )}
      {failed?.step === 'failed' && !isBusy && <p role="alert">{failed.reason}</p>}
    </>
  );
}
