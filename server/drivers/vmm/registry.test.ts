import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeal } from '../../domain/core/seal';
import { DriverCache } from './driverCache';
import { startFakeVmm, type FakeVmm } from './fake';
import { VmmError, type TeepodEndpoint } from './index';
import { createVmmRegistry } from './registry';
import { createVmmDriver } from './rpc';

describe('drivers per teepod', () => {
  const seal = createSeal(randomBytes(32));
  const open = (sealed: string) => seal.open('teepod-credential', sealed);
  let host: FakeVmm;
  beforeEach(async () => {
    host = await startFakeVmm({ token: 'right' });
  });
  afterEach(() => host.close());
  const row = (more: Partial<TeepodEndpoint> = {}): TeepodEndpoint => ({
    id: 1,
    url: host.url,
    kind: 'dstack_vmm',
    credential_kind: 'bearer',
    sealed_credential: seal.seal('teepod-credential', 'right'),
    ...more,
  });

  it('are shared until the address or credential changes, and let calls in flight finish', async () => {
    const registry = createVmmRegistry(createVmmDriver, open);
    const first = row({ sealed_credential: seal.seal('teepod-credential', 'wrong') });
    const driver = registry.get(first);
    const probed = { ...first, last_seen_at: new Date() };
    expect(registry.get(probed)).toBe(driver);
    const underWay = driver.version().catch((error: unknown) => error);
    const replaced = registry.get(row());
    expect(replaced).not.toBe(driver);
    expect(await underWay).toMatchObject({ kind: 'unauthorized' });
    expect((await replaced.version()).version).toBe('0.6.0');
    await registry.close();
    await expect(replaced.version()).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('explain an unusable row', async () => {
    const registry = createVmmRegistry(createVmmDriver, open);
    for (const bad of [
      { url: 'nonsense' },
      { sealed_credential: 'v1.x' },
      { credential_kind: 'basic', sealed_credential: seal.seal('teepod-credential', 'no-colon') },
    ] as const)
      expect(() => registry.get(row(bad))).toThrow(VmmError);
    await registry.close();
  });

  it('are closed without the calls that take too long', async () => {
    const driver = { close: () => new Promise<void>(() => undefined) };
    const cache = new DriverCache(
      ({ id }: { id: number }) => String(id),
      () => driver,
      10,
    );
    cache.get({ id: 1 });
    await cache.close();
  });
});
