import { afterEach, expect, it, vi } from 'vitest';
import { verifyInWorker, type VerifyRequest } from './inWorker';
import { verifyEvidence, DEFAULT_POLICY } from './verify';

const OPTIONS = { now: 1_800_000_000, policy: DEFAULT_POLICY };
const EVIDENCE = { quote: 'abcd' };

/** A worker that verifies, or one whose file cannot be loaded. */
function fakeWorkers(loads: boolean[]): { started: () => number } {
  let started = 0;
  class FakeWorker extends EventTarget {
    private readonly loads = loads[started++] ?? true;
    postMessage({ id, evidence, options }: VerifyRequest): void {
      if (!this.loads) {
        this.dispatchEvent(new Event('error'));
        return;
      }
      void verifyEvidence(evidence, options).then((report) =>
        this.dispatchEvent(new MessageEvent('message', { data: { id, report } })),
      );
    }
    terminate(): void {
      this.dispatchEvent(new Event('terminated'));
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  return { started: () => started };
}

afterEach(() => vi.unstubAllGlobals());

it('verifies on the calling thread where workers are unavailable', async () => {
  expect(await verifyInWorker(EVIDENCE, OPTIONS)).toEqual(await verifyEvidence(EVIDENCE, OPTIONS));
});

it('rejects pending requests when the worker fails to load, and starts a new one for the next', async () => {
  const workers = fakeWorkers([false, true]);
  await expect(verifyInWorker(EVIDENCE, OPTIONS)).rejects.toThrow('Couldn’t start');
  const reports = await Promise.all([
    verifyInWorker(EVIDENCE, OPTIONS),
    verifyInWorker({ simulated: true }, OPTIONS),
  ]);
  expect(reports.map((report) => report.state)).toEqual(['not verified', 'simulated']);
  expect(workers.started()).toBe(2);
});
