import type { WatchPublicApp } from '../../../generated/api/types.gen';
import site from '../site.module.css';
import { useSending } from './useSending';

const watchOf = (text: (name: string) => string): WatchPublicApp => ({ email: text('email') });

/** Asks for mail when the app changes. */
export function WatchApp({ appId }: { appId: string }) {
  const { state, submit } = useSending('open');
  if (state.step === 'sent')
    return (
      <p role="status">
        Open the link in the mail we sent you to confirm. If none arrives, this address watches the app
        already.
      </p>
    );
  return (
    <form
      className={`${site.form} ${site.stacked}`}
      onSubmit={submit(`/explorer/apps/${appId}/watches`, watchOf)}
      aria-label="Watch this app"
    >
      <label>
        E-mail address
        <input type="email" name="email" required maxLength={254} autoComplete="email" />
      </label>
      <button type="submit" className={`${site.button} ${site.small}`} disabled={state.step === 'busy'}>
        {state.step === 'busy' ? 'Sending…' : 'Watch'}
      </button>
      {state.step === 'failed' && <p role="alert">{state.reason}</p>}
    </form>
  );
}
