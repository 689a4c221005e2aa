import { describe, expect, it, vi } from 'vitest';
import { ApiError } from './apiError';
import { withRetries } from './retry';

const OPTIONS = { retries: 2, timeout_ms: 5_000, conflicts: true };
const URL = 'https://cloud.example.test/api/v1/cvms';

/** Sends a request answered with these in order; the last one repeats. */
async function sent(answers: (Response | Error)[], init: RequestInit = {}, options = OPTIONS) {
  vi.useFakeTimers();
  let calls = 0;
  const bodies: string[] = [];
  const send: typeof fetch = async (input) => {
    bodies.push(await (input as Request).clone().text());
    const answer = answers[Math.min(calls++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer!.clone();
  };
  try {
    let ended = false;
    const result = withRetries(send, options)(URL, init)
      .then(
        ({ status }) => status,
        (error: unknown) => error,
      )
      .finally(() => (ended = true));
    // Doesn't wait until no timer is left: an open connection of Node's fetch renews its timer forever.
    while (!ended) await vi.advanceTimersByTimeAsync(1_000);
    return { result: await result, calls, bodies };
  } finally {
    vi.useRealTimers();
  }
}
const answer = (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const POST = { method: 'POST', body: '{"name":"x"}' };
const broken = new TypeError('fetch failed');

describe('a request', () => {
  it('is retried after Retry-After, with its body', async () => {
    const { result, calls, bodies } = await sent(
      [answer(429, {}, { 'retry-after': '7' }), answer(200)],
      POST,
    );
    expect([result, calls]).toEqual([200, 2]);
    expect(bodies).toEqual([POST.body, POST.body]);
  });

  it('fails after its retries, or if the wait would be too long', async () => {
    expect(await sent([answer(503)], POST)).toMatchObject({ result: 503, calls: 3 });
    expect(await sent([answer(429, {}, { 'retry-after': '3600' })], POST)).toMatchObject({
      result: 429,
      calls: 1,
    });
  });

  it('is retried only on a temporary conflict', async () => {
    const temporary = answer(409, { code: 'ERR-00-016' }, { 'retry-after': '1' });
    const final = answer(409, { code: 'ERR-01-004', error_code: 'ERR-01-004' });
    expect(await sent([temporary, answer(202)], POST)).toMatchObject({ result: 202, calls: 2 });
    expect(await sent([final], POST)).toMatchObject({ result: 409, calls: 1 });
    expect(await sent([temporary], POST, { ...OPTIONS, conflicts: false })).toMatchObject({
      result: 409,
      calls: 1,
    });
  });

  it('that may have taken effect is not retried after a broken connection, unless it has a key', async () => {
    expect(await sent([broken, answer(200)], POST)).toMatchObject({ result: broken, calls: 1 });
    expect(await sent([answer(502), answer(200)], POST)).toMatchObject({ result: 502, calls: 1 });
    const keyed = { ...POST, headers: { 'Idempotency-Key': 'k' } };
    expect(await sent([broken, answer(502), answer(200)], keyed)).toMatchObject({ result: 200, calls: 3 });
    expect(await sent([broken, answer(200)])).toMatchObject({ result: 200, calls: 2 });
  });

  it('does not follow a redirect, which would leak the token', async () => {
    const { result, calls } = await sent([answer(301, {}, { location: 'https://elsewhere.example.test/' })]);
    expect(result).toBeInstanceOf(ApiError);
    expect((result as ApiError).message).toContain('https://elsewhere.example.test/');
    expect(calls).toBe(1);
  });
});
