import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostStepUp, withStepUp } from './stepUp';

const refusal = () => Response.json({ detail: 'Confirm it’s you', code: 'ERR-00-031' }, { status: 403 });

/** A server that refuses until the user has confirmed. It records request bodies. */
function server() {
  const state = { confirmed: false, bodies: [] as string[] };
  const send = withStepUp(async (request) => {
    if (!(request instanceof Request)) throw new Error('not a request');
    // Responses take a while and reflect the state at the time they are created.
    const { confirmed } = state;
    state.bodies.push(await request.text());
    return confirmed ? new Response('done') : refusal();
  });
  const post = (body: string) => send('https://console.test/api/v1/x', { method: 'POST', body });
  return { state, post };
}

let withdraw: (() => void) | undefined;
afterEach(() => withdraw?.());

describe('a request that requires confirmation', () => {
  test('is repeated unchanged after the user confirms', async () => {
    const { state, post } = server();
    withdraw = hostStepUp(async () => (state.confirmed = true));
    const answer = await post('{"a":1}');
    expect(await answer.text()).toBe('done');
    expect(state.bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('prompts once for three concurrent requests', async () => {
    const { state, post } = server();
    const ask = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return (state.confirmed = true);
    });
    withdraw = hostStepUp(ask);
    const answers = await Promise.all(['a', 'b', 'c'].map(post));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('doesn’t prompt again for a request refused during the confirmation', async () => {
    const state = { confirmed: false };
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const send = withStepUp(async (request) => {
      const { confirmed } = state;
      if (request instanceof Request && request.url.endsWith('/slow') && !confirmed) await held;
      return confirmed ? new Response('done') : refusal();
    });
    const ask = vi.fn(async () => (state.confirmed = true));
    withdraw = hostStepUp(ask);
    const slow = send('https://console.test/slow');
    expect((await send('https://console.test/quick')).status).toBe(200);
    release();
    expect((await slow).status).toBe(200);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test('returns the refusal if canceled, and prompts again for the next request', async () => {
    const { state, post } = server();
    const ask = vi.fn(async () => false);
    withdraw = hostStepUp(ask);
    expect((await post('x')).status).toBe(403);
    expect((await post('x')).status).toBe(403);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(state.bodies).toEqual(['x', 'x']);
  });
});

test('passes other refusals through', async () => {
  const ask = vi.fn(async () => true);
  withdraw = hostStepUp(ask);
  const send = withStepUp(async () =>
    Response.json({ detail: 'Your role', code: 'ERR-00-003' }, { status: 403 }),
  );
  const answer = await send('https://console.test/x');
  expect(await answer.json()).toMatchObject({ code: 'ERR-00-003' });
  expect(ask).not.toHaveBeenCalled();
});
