import { describe, expect, it } from 'vitest';
import { entryChange, type AppCvm } from './entryChange';

const HASH = '8b'.repeat(32);
const DEVICE = 'd5'.repeat(32);
const cvm = (name: string, compose_hash = HASH): AppCvm => ({ name, compose_hash, device_id: DEVICE });
const row = (value: string, allowed: boolean | null = true) => ({
  value: `0x${value}`,
  name: 'revision 2',
  allowed,
});
const usage = (...cvms: AppCvm[]) => ({ cvms, problem: null });

describe('removing a compose hash', () => {
  it('names the CVM that runs with it and asks for its name', () => {
    const change = entryChange('ComposeHash', row(HASH), usage(cvm('web-1'), cvm('old', '17'.repeat(32))));
    expect(change.effect).toMatch(
      /^In use: web-1 has this compose hash\. .*stays down until this is allowed again\.$/,
    );
    expect(change.typed).toBe('web-1');
  });

  it('names several, and asks for their number', () => {
    const many = Array.from({ length: 8 }, (_, i) => cvm(`web-${i + 1}`));
    const change = entryChange('ComposeHash', row(HASH), usage(...many));
    expect(change.effect).toContain(
      'web-1, web-2, web-3, web-4, web-5, and 3 other CVMs have this compose hash',
    );
    expect(change.typed).toBe('8 CVMs');
  });

  it('says that nothing uses an old one', () => {
    const change = entryChange('ComposeHash', row('17'.repeat(32)), usage(cvm('web-1')));
    expect(change.effect).toMatch(/^No CVM of this app uses/);
    expect(change.typed).toBeUndefined();
  });

  it('is blocked until its usage is known, and asks for confirmation if it can’t be known', () => {
    expect(entryChange('ComposeHash', row(HASH), { cvms: undefined, problem: null }).loading).toBe(true);
    const problem = { title: 'Couldn’t load the CVMs that use it', message: 'Offline.' };
    const change = entryChange('ComposeHash', row(HASH), { cvms: undefined, problem });
    expect(change).toMatchObject({ problem, typed: 'remove' });
    expect(change.loading).toBeUndefined();
  });
});

it('names the CVMs on a removed device', () => {
  const change = entryChange('Device', row(DEVICE), usage(cvm('web-1'), cvm('web-2')));
  expect(change.effect).toMatch(/^In use: web-1 and web-2 run on this device/);
  expect(change.call).toMatchObject({ signature: 'removeDevice(bytes32)' });
});

it('says that a device’s removal or addition changes nothing while any device is allowed', () => {
  for (const allowed of [true, false]) {
    const change = entryChange('Device', row(DEVICE, allowed), usage(cvm('web-1')), true);
    expect(change.effect).toMatch(/^This has no effect yet, because the contract allows any device\./);
    expect(change.typed ?? change.loading).toBeUndefined();
  }
  expect(entryChange('ComposeHash', row(HASH), usage(cvm('web-1')), true).typed).toBe('web-1');
});

it('allows a removed hash again without confirmation', () => {
  const change = entryChange('ComposeHash', row(HASH, false), { cvms: undefined, problem: null });
  expect(change).toMatchObject({ call: { signature: 'addComposeHash(bytes32)' } });
  expect(change.typed ?? change.loading).toBeUndefined();
});

it('identifies a device without a name', () => {
  const unnamed = { ...row(DEVICE), name: null };
  const change = entryChange('Device', unnamed, usage());
  expect(change.title).toBe('Remove the device 0xd5d5d5…d5d5d5');
  expect(change.effect).toContain('CVMs on this device would get no keys.');
});
