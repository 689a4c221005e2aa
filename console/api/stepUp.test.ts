import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostStepUp, withStepUp } from './stepUp';

const refusal = () =>
  Response.json({ detail: 'Confirm that it is you', code: 'ERR-00-031' }, { status: 403 });

/** A server that refuses until the person has confirmed; it notes the bodies it got. */
function server() {
  const state = { confirmed: false, bodies: [] as string[] };
  const send = withStepUp(async (request) => {
    if (!(request instanceof Request)) throw new Error('not a request');
    // Answers take a while; what counts is how things stand when they are made.
    const { confirmed } = state;
    state.bodies.push(await request.text());
    return confirmed ? new Response('done') : refusal();
  });
  const post = (body: string) => send('https://console.test/api/v1/x', { method: 'POST', body });
  return { state, post };
}

let withdraw: (() => void) | undefined;
afterEach(() => withdraw?.());

describe('a request the server wants confirmed', () => {
  test('is sent again, as it was, once the person has confirmed', async () => {
    const { state, post } = server();
    withdraw = hostStepUp(async () => (state.confirmed = true));
    const answer = await post('{"a":1}');
    expect(await answer.text()).toBe('done');
    expect(state.bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('three at once ask once', async () => {
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

  test('one that was refused while the person confirmed does not ask again', async () => {
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

  test('given up, the refusal comes back and the next one asks anew', async () => {
    const { state, post } = server();
    const ask = vi.fn(async () => false);
    withdraw = hostStepUp(ask);
    expect((await post('x')).status).toBe(403);
    expect((await post('x')).status).toBe(403);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(state.bodies).toEqual(['x', 'x']);
  });
});

test('other refusals are nobody’s question', async () => {
  const ask = vi.fn(async () => true);
  withdraw = hostStepUp(ask);
  const send = withStepUp(async () =>
    Response.json({ detail: 'Your role', code: 'ERR-00-003' }, { status: 403 }),
  );
  const answer = await send('https://console.test/x');
  expect(await answer.json()).toMatchObject({ code: 'ERR-00-003' });
  expect(ask).not.toHaveBeenCalled();
});
