import { useState, type SyntheticEvent } from 'react';
import type { PublicDomainCheck } from '../../../generated/api/types.gen';
import site from '../site.module.css';
import { reasonOf } from './reasonOf';

type State =
  | { step: 'open' | 'busy' }
  | { step: 'failed'; reason: string }
  | { step: 'done'; check: PublicDomainCheck };

async function check(appId: string, domain: string): Promise<State> {
  const reply = await fetch(`/api/v1/explorer/apps/${appId}/domain?domain=${encodeURIComponent(domain)}`);
  const body: unknown = await reply.json().catch(() => null);
  if (reply.ok) return { step: 'done', check: body as PublicDomainCheck };
  return { step: 'failed', reason: reasonOf(reply.status, body, reply.headers.get('retry-after')) };
}

function sentenceOf({ domain, result, reason, is_registered }: PublicDomainCheck): string {
  switch (result) {
    case 'names_this_app':
      return is_registered
        ? `${domain}’s file names this app, and the app’s team has added the domain to the app. Both sides agree.`
        : `${domain}’s file names this app, but the app’s team hasn’t added the domain here. Anyone who controls a domain can serve this file.`;
    case 'names_another':
      return `${domain}’s file names another app or another server. This page isn’t its report.`;
    case 'no_file':
      return `${domain} doesn’t serve this file. ${reason ?? 'The response isn’t a valid file.'}`;
    case 'unreachable':
      return `Couldn’t reach ${domain}. ${reason ?? ''}`.trim();
  }
}

/** Checks whether a site claims to be this app. */
export function CheckDomain({ appId }: { appId: string }) {
  const [state, setState] = useState<State>({ step: 'open' });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state.step === 'busy') return;
    const typed = new FormData(event.currentTarget).get('domain');
    const domain = typeof typed === 'string' ? typed.trim() : '';
    setState({ step: 'busy' });
    void check(appId, domain)
      .catch((): State => ({
        step: 'failed',
        reason: 'Couldn’t reach the server. Check your connection.',
      }))
      .then(setState);
  };
  return (
    <>
      <noscript>
        <p>This check needs JavaScript. You can also open /.well-known/teehouse.json on the site yourself.</p>
      </noscript>
      <form className={`${site.form} ${site.scripted}`} onSubmit={submit} aria-label="Check a domain">
        <label>
          Domain
          <input type="text" name="domain" required maxLength={253} placeholder="app.example.com" />
        </label>
        <button
          type="submit"
          className={`${site.button} ${site.small}`}
          aria-disabled={state.step === 'busy'}
        >
          {state.step === 'busy' ? 'Checking…' : 'Check'}
        </button>
      </form>
      {state.step === 'failed' && <p role="alert">{state.reason}</p>}
      <p role="status">{state.step === 'done' && sentenceOf(state.check)}</p>
    </>
  );
}
