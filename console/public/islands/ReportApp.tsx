import { useState, type SyntheticEvent } from 'react';
import type { ReportPublicApp } from '../../../generated/api/types.gen';
import { ABUSE_KINDS } from '../../lib/public/abuse';
import site from '../site.module.css';

type State = { step: 'closed' | 'open' | 'busy' | 'sent' } | { step: 'failed'; reason: string };

async function send(appId: string, form: FormData): Promise<State> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const body: ReportPublicApp = {
    kind: text('kind') as ReportPublicApp['kind'],
    text: text('text'),
    email: text('email') || null,
  };
  const reply = await fetch(`/api/v1/explorer/apps/${appId}/reports`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (reply.ok) return { step: 'sent' };
  if (reply.status === 429)
    return { step: 'failed', reason: 'Too many requests from your network. Try again in a minute.' };
  const problem = (await reply.json().catch(() => null)) as { message?: string } | null;
  return { step: 'failed', reason: problem?.message ?? `The server answered ${reply.status}.` };
}

/** Reports the app to the operators of this cloud. */
export function ReportApp({ appId }: { appId: string }) {
  const [state, setState] = useState<State>({ step: 'closed' });
  if (state.step === 'closed')
    return (
      <p>
        <button
          type="button"
          className={`${site.quiet} ${site.small}`}
          onClick={() => setState({ step: 'open' })}
        >
          Report this app
        </button>
      </p>
    );
  if (state.step === 'sent')
    return <p role="status">Thank you. The operators of this cloud will look at it.</p>;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setState({ step: 'busy' });
    void send(appId, form)
      .catch((): State => ({
        step: 'failed',
        reason: 'Couldn’t reach the server. Check your connection.',
      }))
      .then(setState);
  };
  return (
    <form className={`${site.form} ${site.stacked}`} onSubmit={submit} aria-label="Report this app">
      <label>
        What is wrong
        <select name="kind" defaultValue="misleading">
          {Object.entries(ABUSE_KINDS).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        What you saw, and where
        <textarea name="text" required minLength={10} maxLength={4000} rows={5} />
      </label>
      <label>
        E-mail address, if you want an answer
        <input type="email" name="email" maxLength={254} autoComplete="email" />
      </label>
      <button type="submit" className={`${site.button} ${site.small}`} disabled={state.step === 'busy'}>
        {state.step === 'busy' ? 'Sending…' : 'Send report'}
      </button>
      {state.step === 'failed' && <p role="alert">{state.reason}</p>}
    </form>
  );
}
