import type { WatchPublicApp } from '../../../generated/api/types.gen';
import site from '../site.module.css';
import { useSending } from './useSending';

const watchOf = (text: (name: string) => string): WatchPublicApp => ({ email: text('email') });

/**
 * Subscribes to mail about changes of the app. The form appears on click: without this script, it would put the
 * address in the URL.
 */
export function WatchApp({ appId }: { appId: string }) {
  const { state, open, submit } = useSending('closed');
  return (
    <>
      <noscript>
        <p>Watching by email needs JavaScript. The feed does not.</p>
      </noscript>
      {state.step === 'closed' ? (
        <p className={site.scripted}>
          <button type="button" className={`${site.quiet} ${site.small}`} onClick={open}>
            Watch by email
          </button>
        </p>
      ) : (
        state.step !== 'sent' && (
          <form
            className={`${site.form} ${site.stacked}`}
            onSubmit={submit(`/explorer/apps/${appId}/watches`, watchOf)}
            aria-label="Watch this app"
          >
            <label>
              Email address
              <input type="email" name="email" autoFocus required maxLength={254} autoComplete="email" />
            </label>
            <button
              type="submit"
              className={`${site.button} ${site.small}`}
              aria-disabled={state.step === 'busy'}
            >
              {state.step === 'busy' ? 'Sending…' : 'Watch'}
            </button>
            {state.step === 'failed' && <p role="alert">{state.reason}</p>}
          </form>
        )
      )}
      <p role="status">
        {state.step === 'sent' &&
          'Open the link in the email we sent to confirm. If none arrives, check your spam folder or try again tomorrow. Addresses that already watch the app, or stopped within the last week, don’t get a new link.'}
      </p>
    </>
  );
}
