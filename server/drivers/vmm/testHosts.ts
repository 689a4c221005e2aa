import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startFakeVmm, type FakeOptions, type FakeVmm } from './fake';
import { VmmError, type VmmDriver, type VmmOptions, type VmSpec } from './index';
import { createVmmDriver } from './rpc';

/* Hosts and drivers for this folder's tests. */

export let dir: string;
const open: { close(): Promise<unknown> }[] = [];

/**
 * Creates the folder for a test file's sockets and certificates, and closes after each test what it opened
 * here. Every file calls it: files share their modules, so a module's hooks would run only for the first one.
 */
export function setUpTestHosts(): void {
  beforeAll(() => void (dir = mkdtempSync(path.join(tmpdir(), 'teehouse-vmm-'))));
  afterEach(async () => {
    for (const closable of open.splice(0).reverse()) await closable.close();
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
}

export function closeAfterTest(closable: { close(): Promise<unknown> }): void {
  open.push(closable);
}
export async function host(options: FakeOptions = {}): Promise<FakeVmm> {
  const made = await startFakeVmm(options);
  open.push(made);
  return made;
}
export function driverTo(options: VmmOptions): VmmDriver {
  const made = createVmmDriver(options);
  open.push(made);
  return made;
}
export async function pair(options: FakeOptions = {}, limits: VmmOptions['limits'] = {}) {
  const vmm = await host(options);
  return { vmm, driver: driverTo({ url: vmm.url, limits }) };
}
/** Returns the error of a call; anything but a `VmmError` fails the test. */
export async function failure(work: Promise<unknown>): Promise<VmmError> {
  const error = await work.then(
    () => new Error('did not fail'),
    (e: unknown) => e,
  );
  if (!(error instanceof VmmError)) throw error as Error;
  return error;
}

export const spec: VmSpec = {
  name: 'a',
  image: 'dstack-0.6.0',
  compose_file: '{"manifest_version":2,"name":"a","runner":"docker-compose"}',
  vcpu: 1,
  memory: 1024,
  disk_size: 1,
  stopped: true,
};
