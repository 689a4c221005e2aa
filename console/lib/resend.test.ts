import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withResend } from './resend';

const broken = () => Promise.reject(new TypeError('Failed to fetch'));
const post = (headers: Record<string, string>) =>
  new Request('https://teehouse.test/api/v1/cvms', { method: 'POST', body: '{"name":"a"}', headers });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a broken connection', () => {
  it('resends an idempotent request with its body and key', async () => {
    const bodies: string[] = [];
    const send = vi.fn<typeof fetch>(async (input) => {
      const request = input as Request;
      bodies.push(`${request.headers.get('Idempotency-Key')} ${await request.text()}`);
      return bodies.length < 3 ? broken() : new Response(null, { status: 201 });
    });
    const answer = withResend(send)(post({ 'Idempotency-Key': 'k' }));
    await vi.runAllTimersAsync();
    expect((await answer).status).toBe(201);
    expect(bodies).toEqual(Array(3).fill('k {"name":"a"}'));
  });

  it('reports the error after three attempts', async () => {
    const send = vi.fn(broken);
    const answer = expect(withResend(send)(post({ 'Idempotency-Key': 'k' }))).rejects.toThrow(
      'Failed to fetch',
    );
    await vi.runAllTimersAsync();
    await answer;
    expect(send).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['a request without an idempotency key', {}, broken],
    [
      'a request the page aborted',
      { 'Idempotency-Key': 'k' },
      () => Promise.reject(new DOMException('', 'AbortError')),
    ],
  ])("doesn't resend %s", async (_what, headers, fails) => {
    const send = vi.fn(fails);
    await expect(withResend(send)(post(headers))).rejects.toThrow();
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('returns a server error without resending', async () => {
    const send = vi.fn(() => Promise.resolve(new Response(null, { status: 503 })));
    expect((await withResend(send)(post({ 'Idempotency-Key': 'k' }))).status).toBe(503);
    expect(send).toHaveBeenCalledTimes(1);
  });
});
