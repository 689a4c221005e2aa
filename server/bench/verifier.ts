import { chromium, type Page } from '@playwright/test';
import { QuoteVerifier, type Collateral } from '@phala/dcap-qvl';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { mockEvidence, mockPolicy } from '../../console/lib/attestation/testing/mockEvidence';
import { createMockPki } from '../../console/lib/attestation/testing/mockPki';
import { verifyEvidence } from '../../console/lib/attestation/verify';
import { hexToBytes } from '../../console/lib/bytes';
import { findChromium } from '../tools/system';
import { kb, median, ms, type Options, type Part, type Row } from './report';
import type { Jobs } from './verifier/jobs';

const NOW = Math.floor(Date.now() / 1000);
const WORKERS = {
  ours: fileURLToPath(new URL('../../console/lib/attestation/attestation.worker.ts', import.meta.url)),
  theirs: fileURLToPath(new URL('verifier/baseline.worker.ts', import.meta.url)),
} as const;
type Side = keyof typeof WORKERS;

/**
 * Duration of one verification, in Node and in a Chromium worker, alongside @phala/dcap-qvl's JavaScript with the
 * same quote and collateral in the same rounds. Ours does more: it authenticates the revocation lists.
 */
export async function verifier(options: Options): Promise<Part> {
  const rounds = options.quick ? 5 : 40;
  const jobs = await makeJobs();
  const rows = [...(await inNode(jobs, rounds)), ...(await inChromium(jobs, rounds, options))];
  return {
    title: 'Verifier',
    how: `Medians of ${rounds} rounds after a warm-up, ours and the baseline (@phala/dcap-qvl 0.3.9, JavaScript) in turn. “Platform” is quote and collateral, which both verify; “whole” adds event log, OS image and compose file, which only ours verifies. In Chromium, times are round trips from the page.`,
    rows,
  };
}

async function makeJobs(): Promise<Jobs> {
  const pki = await createMockPki(NOW);
  const whole = await mockEvidence(pki);
  const { quote = '', collateral } = whole;
  if (!collateral) throw new Error('the mock evidence has no collateral');
  return {
    options: { now: NOW, policy: mockPolicy(whole), roots: [pki.rootPem] },
    platform: { quote, collateral },
    whole,
    theirs: {
      quote: hexToBytes(quote) ?? new Uint8Array(0),
      collateral,
      root: pki.certificates.root,
      now: NOW,
    },
  };
}

interface Times {
  platform: number[];
  whole: number[];
  theirs: number[];
}

function table(where: string, times: Times, aim?: string): Row[] {
  const theirs = median(times.theirs);
  const line = (of: number[]): string =>
    `${ms(median(of))} (${(median(of) / theirs).toFixed(2)}× the baseline)`;
  return [
    { what: `${where}: baseline`, figures: ms(theirs) },
    { what: `${where}: platform`, figures: line(times.platform) },
    { what: `${where}: whole`, figures: line(times.whole), ...(aim ? { aim } : {}) },
  ];
}

const platformOptions = ({ options }: Jobs): Jobs['options'] => ({
  ...options,
  policy: { scope: 'quote', accepted_tcb: [] },
});

async function inNode(jobs: Jobs, rounds: number): Promise<Row[]> {
  const { quote, collateral, root, now } = jobs.theirs;
  const baseline = QuoteVerifier.newWithRootCa(Buffer.from(root));
  const measure = async (run: () => unknown): Promise<number> => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };
  const times: Times = { platform: [], whole: [], theirs: [] };
  for (let i = -3; i < rounds; i++) {
    const round = {
      platform: await measure(() => verifyEvidence(jobs.platform, platformOptions(jobs))),
      whole: await measure(() => verifyEvidence(jobs.whole, jobs.options)),
      theirs: await measure(() =>
        baseline.verify(Buffer.from(quote), collateral as unknown as Collateral, now),
      ),
    };
    if (i >= 0) for (const key of ['platform', 'whole', 'theirs'] as const) times[key].push(round[key]);
  }
  return table('Node', times);
}

/** The worker as a browser receives it. */
async function bundle(side: Side, outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      minify: true,
      lib: { entry: WORKERS[side], formats: ['es'], fileName: () => `${side}.js` },
    },
  });
  return readFile(path.join(outDir, `${side}.js`), 'utf8');
}

async function inChromium(jobs: Jobs, rounds: number, options: Options): Promise<Row[]> {
  const executablePath = findChromium();
  if (!executablePath)
    return [{ what: 'Chromium', figures: 'not installed (Debian: apt-get install chromium)' }];
  const outDir = await mkdtemp(path.join(os.tmpdir(), 'verifier-'));
  try {
    const scripts = { ours: await bundle('ours', outDir), theirs: await bundle('theirs', outDir) };
    const size = (side: Side): string => kb(brotliCompressSync(scripts[side]).length);
    const server = await serve(scripts);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      options.say(`Chromium ${browser.version()}`);
      const page = await browser.newPage();
      await page.goto(server.url);
      const { first, ...times } = await measureIn(page, jobs, rounds);
      return [
        ...table('Chromium worker', times, '< 60 ms warm'),
        { what: 'Chromium worker: first, including startup', figures: ms(first) },
        { what: 'worker JavaScript', figures: `${size('ours')} (baseline ${size('theirs')})` },
      ];
    } finally {
      await browser.close();
      server.close();
    }
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** WebCrypto exists on localhost only, so the page needs a URL. */
async function serve(scripts: Record<Side, string>): Promise<{ url: string; close: () => void }> {
  const server = http.createServer((request, response) => {
    const side = (['ours', 'theirs'] as const).find((one) => request.url === `/${one}.js`);
    response.setHeader('content-type', side ? 'text/javascript' : 'text/html');
    response.end(side ? scripts[side] : '<!doctype html><title>Verifier</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** As text, because tsx adds helpers to functions that the page does not have. */
const IN_PAGE = `async ({ jobs, platformOptions, rounds }) => {
  jobs.theirs.quote = Uint8Array.from(jobs.theirs.quote);
  jobs.theirs.root = Uint8Array.from(jobs.theirs.root);
  const ask = (worker, message) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker failed'));
    worker.postMessage({ id: 1, ...message });
  });
  const measure = async (worker, message, good) => {
    const began = performance.now();
    const answer = await ask(worker, message);
    const took = performance.now() - began;
    if (!good(answer)) throw new Error('not verified: ' + JSON.stringify(answer).slice(0, 300));
    return took;
  };
  const verified = ({ report }) => report.state === 'verified';
  const began = performance.now();
  const ours = new Worker('/ours.js', { type: 'module' });
  const whole = { evidence: jobs.whole, options: jobs.options };
  await measure(ours, whole, verified);
  const first = performance.now() - began;
  const theirs = new Worker('/theirs.js', { type: 'module' });
  const times = { first, platform: [], whole: [], theirs: [] };
  for (let i = -3; i < rounds; i++) {
    const round = {
      platform: await measure(ours, { evidence: jobs.platform, options: platformOptions }, verified),
      whole: await measure(ours, whole, verified),
      theirs: await measure(theirs, jobs.theirs, ({ status }) => status === 'UpToDate'),
    };
    if (i >= 0) for (const key of Object.keys(round)) times[key].push(round[key]);
  }
  return times;
}`;

function measureIn(page: Page, jobs: Jobs, rounds: number): Promise<Times & { first: number }> {
  const { quote, root } = jobs.theirs;
  const sent = {
    jobs: { ...jobs, theirs: { ...jobs.theirs, quote: [...quote], root: [...root] } },
    platformOptions: platformOptions(jobs),
    rounds,
  };
  return page.evaluate<Times & { first: number }>(`(${IN_PAGE})(${JSON.stringify(sent)})`);
}
