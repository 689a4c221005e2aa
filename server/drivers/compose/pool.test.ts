import { afterEach, expect, it } from 'vitest';
import { Problem } from '../../domain/core/problem';
import { createComposeAnalyzer } from './analyzer';
import { createAnalysisPool, type AnalysisPool, type PoolOptions } from './pool';

const GOOD = 'services:\n  web:\n    image: nginx\n    ports: ["8000-8010:8000-8010"]\n';

/** A worker that runs these lines instead of the real one. */
const script = (lines: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ text }) => { ${lines} });
      parentPort.postMessage('ready');
    `)}`,
  );
const ECHO = `parentPort.postMessage({ ok: true, echo: text });`;

let pool: AnalysisPool | undefined;
afterEach(() => pool?.close());

const open = (entry: URL, options: Partial<PoolOptions> = {}) =>
  (pool = createAnalysisPool({ entry, execArgv: [], ...options }));
const run = (text: string, owner = 'a') => pool!.run({ text, context: {} }, owner);

it('analyzes with the real worker and answers repeats from memory', async () => {
  const analyzer = createComposeAnalyzer();
  const [first, second] = await Promise.all([analyzer.analyze(GOOD, 'a'), analyzer.analyze(GOOD, 'a')]);
  expect(first.services[0]?.ports).toEqual([
    {
      target: { first: 8000, last: 8010 },
      published: { first: 8000, last: 8010 },
      protocol: 'tcp',
      host_ip: null,
    },
  ]);
  expect(second).toBe(first);
});

it('ends a thread that takes too long and continues with the next file', async () => {
  open(script(`if (text === 'endless') for (;;); ${ECHO}`), { deadlineMs: 500 });
  const endless = run('endless');
  await expect(endless).rejects.toMatchObject({ reason: 'time' });
  await expect(run('next')).resolves.toMatchObject({ echo: 'next' });
});

it('ends a thread that uses too much memory and continues with the next file', async () => {
  open(
    script(`if (text === 'hungry') for (const kept = [];;) kept.push(new Array(1000).fill({})); ${ECHO}`),
    {
      maxHeapMb: 32,
      deadlineMs: 60_000,
    },
  );
  await expect(run('hungry')).rejects.toMatchObject({ reason: 'memory' });
  await expect(run('next')).resolves.toMatchObject({ echo: 'next' });
});

it('refuses one owner’s excess files while others are still served in turn', async () => {
  open(script(`setTimeout(() => { ${ECHO} }, 20);`), { maxWaitingPerOwner: 8 });
  const order: string[] = [];
  const noted = (text: string, owner: string) => run(text, owner).then(() => void order.push(text));
  const greedy = Array.from({ length: 8 }, (_, i) => noted(`greedy ${i}`, 'greedy'));
  await expect(run('one too many', 'greedy')).rejects.toMatchObject({ reason: 'busy' });
  await Promise.all([...greedy, noted('modest', 'modest')]);
  // Behind the work in progress when it arrived, ahead of the rest.
  expect(order.indexOf('modest')).toBeLessThan(6);
});

it("fails the file, not the process, when a thread can't start", async () => {
  open(new URL('data:text/javascript,throw new Error("broken")'));
  await expect(run('one')).rejects.toThrow('broken');
  await expect(run('two')).rejects.toThrow('broken');
});

it("explains a limit to the caller and doesn't cache the refusal", async () => {
  open(script(`if (text === 'endless') for (;;); ${ECHO}`), { deadlineMs: 300 });
  const analyzer = createComposeAnalyzer(() => pool!);
  for (let i = 0; i < 2; i++) {
    const refused = await analyzer.analyze('endless', 'a').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect((refused as Problem).status).toBe(400);
    expect((refused as Problem).info.details?.[0]?.field).toBe('docker_compose_file');
  }
});
