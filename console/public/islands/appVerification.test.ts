import { afterEach, expect, it, vi } from 'vitest';
import { verifyApp } from './appVerification';

afterEach(() => vi.unstubAllGlobals());

const answerWith = (reply: () => Promise<Response>) => vi.stubGlobal('fetch', reply);
const reason = async (...verify: [Parameters<typeof verifyApp>[2]?]) => {
  const result = await verifyApp('a'.repeat(40), 'vm-1', ...verify);
  return result.step === 'failed' ? result.reason : undefined;
};

it('blames the connection only if the server wasn’t reached', async () => {
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await reason()).toBe('Couldn’t reach the server. Check your connection.');
  answerWith(() => Promise.resolve(new Response('<html>')));
  expect(await reason()).toBe('The server’s answer isn’t valid. Try again in a minute.');
  answerWith(() => Promise.resolve(new Response('', { status: 503 })));
  expect(await reason()).toBe('The server answered 503. Try again in a minute.');
});

it('names the reason if the answer can’t be verified', async () => {
  answerWith(() => Promise.resolve(new Response('{}')));
  expect(await reason(() => Promise.reject(new Error('Couldn’t start the verifier.')))).toBe(
    'Couldn’t start the verifier.',
  );
  answerWith(() => Promise.resolve(new Response('{}')));
  expect(await reason()).toBe('The evidence couldn’t be read. Try again in a minute.');
});
