import { useState, type SyntheticEvent } from 'react';
import { reasonOf } from './reasonOf';

export type Sending = { step: 'closed' | 'open' | 'busy' | 'sent' } | { step: 'failed'; reason: string };

async function post(path: string, body: object | null): Promise<Sending> {
  const reply = await fetch(`/api/v1${path}`, {
    method: 'POST',
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (reply.ok) return { step: 'sent' };
  const answer: unknown = await reply.json().catch(() => null);
  return { step: 'failed', reason: reasonOf(reply.status, answer, reply.headers.get('retry-after')) };
}

/** Sends a public page's small form, or a request without a body, and tracks its state. */
export function useSending(start: 'closed' | 'open') {
  const [state, setState] = useState<Sending>({ step: start });
  const send = (path: string, body: object | null = null) => {
    if (state.step === 'busy') return;
    setState({ step: 'busy' });
    void post(path, body)
      .catch((): Sending => ({
        step: 'failed',
        reason: 'Couldn’t reach the server. Check your connection.',
      }))
      .then(setState);
  };
  /** Handler for a form's `onSubmit`. `bodyOf` reads its fields. */
  const submit =
    (path: string, bodyOf: (text: (name: string) => string) => object) =>
    (event: SyntheticEvent<HTMLFormElement>) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      send(
        path,
        bodyOf((name) => String(form.get(name) ?? '').trim()),
      );
    };
  return { state, open: () => setState({ step: 'open' }), send, submit };
}
