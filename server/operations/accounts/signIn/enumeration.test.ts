import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperationId } from '../../../../generated/api/operations.gen';
import { PASSWORD, startTestServer, type Answer, type TestServer } from '../../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  for (const email of ['first@example.test', KNOWN]) await server.register(email);
});
afterAll(() => server.stop());

const KNOWN = 'known@example.test';
const PAIRS = 15;
let count = 0;
const unknown = () => `nobody${++count}@example.test`;

/** Returns an answer's observable parts except those unique to each request. */
const shown = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.fromEntries(
    [...headers]
      .filter(([name]) => !PER_REQUEST_HEADERS.has(name))
      .map(([name, value]) => [name, PATTERNS[name] ? value.replace(PATTERNS[name], 'x') : value]),
  ),
  body: typeof body === 'object' ? { ...body, request_id: '' } : body,
});
/** Header parts that differ in every answer. The rest is compared. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  // The device cookie is random.
  'set-cookie': /[\w-]{22}/g,
  // Remaining quota and reset time: all of these requests count toward the limit.
  ratelimit: /(?<=;[rt]=)\d+/g,
};
const PER_REQUEST_HEADERS = new Set(['date', 'x-request-id', 'content-security-policy']);

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const quartiles = (values: number[]) => {
  values.sort((a, b) => a - b);
  return (values[Math.floor(values.length * 0.75)] ?? 0) - (values[Math.floor(values.length * 0.25)] ?? 0);
};

/**
 * Known and unknown addresses alternate, so that other load on the machine affects both. The medians may
 * differ by the spread of the measurements and a small margin.
 */
it.each<[OperationId, (email: string) => object]>([
  ['registerUser', (email) => ({ email, password: PASSWORD })],
  ['requestPasswordReset', (email) => ({ email })],
  ['createSession', (email) => ({ email, password: 'wrong wrong wrong' })],
])('%s does not reveal whether an address has an account, by answer or timing', async (id, body) => {
  const times = { known: [] as number[], unknown: [] as number[] };
  const answers: ReturnType<typeof shown>[] = [];
  for (let i = 0; i < PAIRS; i++)
    for (const who of i % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const from = performance.now();
      const answer = await server.anonymous.call(id, { body: body(who === 'known' ? KNOWN : unknown()) });
      times[who].push(performance.now() - from);
      answers.push(shown(answer));
    }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const difference = Math.abs(median(times.known) - median(times.unknown));
  expect(difference).toBeLessThan(5 + 1.5 * Math.max(quartiles(times.known), quartiles(times.unknown)));
});
