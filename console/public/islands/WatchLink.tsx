import site from '../site.module.css';
import { useSending } from './useSending';

interface WatchLinkProps {
  token: string;
  isConfirmed: boolean;
}

/** Confirms or ends a watch: only a click does, because mail programs open links too. */
export function WatchLink({ token, isConfirmed }: WatchLinkProps) {
  const confirming = useSending('open');
  const ending = useSending('open');
  const query = `?token=${encodeURIComponent(token)}`;
  if (ending.state.step === 'sent')
    return <p role="status">Your address was deleted. No more mail is sent.</p>;
  const isWatching = isConfirmed || confirming.state.step === 'sent';
  const failed = [confirming.state, ending.state].find(({ step }) => step === 'failed');
  return (
    <>
      {isWatching && <p role="status">You get a mail when it changes.</p>}
      <p className={site.actions}>
        {!isWatching && (
          <button
            type="button"
            className={site.button}
            disabled={confirming.state.step === 'busy'}
            onClick={() => confirming.send(`/explorer/watches/confirm${query}`)}
          >
            Start watching
          </button>
        )}
        <button
          type="button"
          className={site.quiet}
          disabled={ending.state.step === 'busy'}
          onClick={() => ending.send(`/explorer/watches/end${query}`)}
        >
          {isWatching ? 'Stop watching' : 'Delete my address'}
        </button>
      </p>
      {failed?.step === 'failed' && <p role="alert">{failed.reason}</p>}
    </>
  );
}
