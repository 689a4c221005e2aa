import type { WatchPublicAppByWebhook } from '../../../generated/api/types.gen';
import site from '../site.module.css';
import { useSending } from './useSending';

const watchOf = (text: (name: string) => string): WatchPublicAppByWebhook => ({
  url: text('url'),
  secret: text('secret'),
});

/**
 * Registers a receiver for signed webhook requests about the app. The form appears on click, like the mail form.
 */
export function WatchByWebhook({ appId }: { appId: string }) {
  const { state, open, submit } = useSending('closed');
  return (
    <>
      {state.step === 'closed' ? (
        <p className={site.scripted}>
          <button type="button" className={`${site.quiet} ${site.small}`} onClick={open}>
            Watch by webhook
          </button>
        </p>
      ) : (
        state.step !== 'sent' && (
          <form
            className={`${site.form} ${site.stacked}`}
            onSubmit={submit(`/explorer/apps/${appId}/webhook-watches`, watchOf)}
            aria-label="Watch this app by webhook"
          >
            <label>
              Receiver URL
              <input type="url" name="url" autoFocus required maxLength={2048} placeholder="https://" />
            </label>
            <label>
              Signing secret
              <input
                type="password"
                name="secret"
                required
                minLength={24}
                maxLength={128}
                autoComplete="off"
                aria-describedby="webhook-secret-help"
              />
            </label>
            <p id="webhook-secret-help">
              24 to 128 characters without spaces. Your receiver checks each request’s HMAC-SHA256 with it.
              The first request, signed the same way, has a challenge to return in the response.
            </p>
            <button
              type="submit"
              className={`${site.button} ${site.small}`}
              aria-disabled={state.step === 'busy'}
            >
              {state.step === 'busy' ? 'Checking receiver…' : 'Watch'}
            </button>
            {state.step === 'failed' && <p role="alert">{state.reason}</p>}
          </form>
        )
      )}
      <p role="status">
        {state.step === 'sent' &&
          'Your receiver answered the challenge. It gets a signed request when the app changes.'}
      </p>
    </>
  );
}
