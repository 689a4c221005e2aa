import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperationId } from '../../../generated/api/operations.gen';
import { PASSWORD, startTestServer, type Answer, type TestServer } from '../../testing/server';

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

/** What a stranger sees of an answer, apart from what is of the request alone. */
const shown = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !OF_THE_REQUEST.has(name))),
  body: typeof body === 'object' ? { ...body, request_id: '' } : body,
});
const OF_THE_REQUEST = new Set(['date', 'x-request-id', 'content-security-policy']);

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const quartiles = (values: number[]) => {
  values.sort((a, b) => a - b);
  return (values[Math.floor(values.length * 0.75)] ?? 0) - (values[Math.floor(values.length * 0.25)] ?? 0);
};

/**
 * Known and unknown take turns, so that whatever else the machine does falls on both. Their medians may differ by what
 * the measurements scatter anyway, and a little.
 */
it.each<[OperationId, (email: string) => object]>([
  ['registerUser', (email) => ({ email, password: PASSWORD })],
  ['requestPasswordReset', (email) => ({ email })],
  ['createSession', (email) => ({ email, password: 'wrong wrong wrong' })],
])(
  '%s answers the same, at the same time, whether the address has an account',
  { timeout: 60_000 },
  async (id, body) => {
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
  },
);
