import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../bytes';
import {
  contradiction,
  digestOf,
  EventLogError,
  measuredDigests,
  parseEventLog,
  replay,
  RUNTIME_EVENT,
  systemValues,
} from './eventLog';
import { configRegisters, deviceId, documentFault, mrConfigV3, parseKeyProvider } from '../identity';
import { runtimeEvent } from '../testing/mockEvidence';

const COMPOSE_HASH = '3763bc34552cf3a27ff71ad5f7a90471562a1a2df552dfc1998cba2d60da27e7';

describe('digests of runtime events', () => {
  it.each([
    [
      'compose-hash',
      COMPOSE_HASH,
      'b883bee0b216618b1ce0e7a1bb4a9379b486cef8aadf0c682cb6e80c083f7982dbf104183c24a74693d860f4ffc8b72f',
    ],
    [
      'system-preparing',
      '',
      'f9974020ef507068183313d0ca808e0d1ca9b2d1ad0c61f5784e7157c362c06536f5ddacdad4451693f48fcc72fff624',
    ],
    [
      'boot-mr-done',
      '',
      '98bd7e6bd3952720b65027fd494834045d06b4a714bf737a06b874638b3ea00ff402f7f583e3e3b05e921c8570433ac6',
    ],
    [
      'system-ready',
      '',
      '1a76b2a80a0be71eae59f80945d876351a7a3fb8e9fd1ff1cede5734aa84ea11fd72b4edfbb6f04e5a85edd114c751bd',
    ],
  ])('match what real guests log for %s (form 1)', (name, payload, digest) => {
    expect(bytesToHex(digestOf(runtimeEvent(name, payload)))).toBe(digest);
  });

  it('hash canonical JSON (form 2)', () => {
    expect(bytesToHex(digestOf(runtimeEvent('compose-hash', COMPOSE_HASH, 2)))).toBe(
      'a8343acda0c3183342954754fb0e1916e6485fcbdc87c2338c3f28f28f9bc7f9ac2cc69f0fd1a15876431fff8c92a69b',
    );
  });

  it('produce the same replay whether or not the log includes them', () => {
    const bare = [runtimeEvent('system-preparing', ''), runtimeEvent('compose-hash', COMPOSE_HASH)];
    const full = bare.map((event) => ({ ...event, digest: bytesToHex(digestOf(event)).toUpperCase() }));
    const registers = [bare, full].map((log) => {
      const events = parseEventLog(JSON.stringify(log));
      const digests = measuredDigests(events);
      expect(contradiction(events, digests)).toBeNull();
      return replay(events, digests)[3];
    });
    expect(registers[0]).toBe(registers[1]);
  });
});

describe('parsing a log', () => {
  const bad = (change: Record<string, unknown>): (() => void) => {
    const entry = { ...runtimeEvent('app-id', '00'), ...change };
    return () => void parseEventLog(JSON.stringify([entry]));
  };
  it.each([
    { imr: 4 },
    { imr: '3' },
    { event_type: -1 },
    { event_type: 1.5 },
    { digest: 'abc' },
    { digest: 5 },
    { event: 7 },
    { event: '\ud800' },
    { event: 'x'.repeat(2000) },
    { event_payload: 'zz' },
    { event_payload: 'abc' },
    { version: 3 },
    { imr: 1 },
    { preimage: {} },
  ])('rejects %j', (change) => {
    expect(bad(change)).toThrow(EventLogError);
  });
  it.each(['', '{', '{}', '"x"', 'null', '[1]', '[null]', `[${'{},'.repeat(5000)}{}]`])(
    'rejects %.20s',
    (text) => {
      expect(() => parseEventLog(text)).toThrow(EventLogError);
    },
  );
  it('rejects a log with too many events before reading them', () => {
    expect(() => parseEventLog(JSON.stringify(Array.from({ length: 5000 }, () => 0)))).toThrow(
      /at most 4096/,
    );
  });
});

describe('system values', () => {
  const log = (...names: string[]) => {
    const payloads: Record<string, string> = { 'app-id': '00'.repeat(20), 'compose-hash': COMPOSE_HASH };
    return parseEventLog(JSON.stringify(names.map((name) => runtimeEvent(name, payloads[name] ?? ''))));
  };
  const SYSTEM = ['app-id', 'compose-hash', 'instance-id', 'key-provider', 'system-ready'];

  it("precede system-ready and are listed apart from the app's later events", () => {
    const found = systemValues(log(...SYSTEM, 'LIUM_MINER_HOTKEY'));
    expect(found.values.get('compose-hash')).toBe(COMPOSE_HASH);
    expect(found.values.has('LIUM_MINER_HOTKEY')).toBe(false);
    expect(found.appEvents).toEqual(['LIUM_MINER_HOTKEY']);
  });
  it('may not repeat, except for init scripts', () => {
    expect(
      systemValues(log('init-script-hash', 'init-script-hash', ...SYSTEM)).initScriptHashes,
    ).toHaveLength(2);
    expect(() => systemValues(log('storage-fs', 'storage-fs', ...SYSTEM))).toThrow(/twice/);
  });
  it('exclude a second system-ready, which belongs to the app', () => {
    expect(() => systemValues(log(...SYSTEM, 'system-ready'))).toThrow(/only the system may use/);
  });
  it('are rejected if bytes move between name and payload', () => {
    const joined = log(...SYSTEM);
    const split = [{ ...joined[0]!, event: 'app-id:', event_payload: '' }, ...joined];
    expect(() => systemValues(split)).toThrow(/invalid name/);
  });
  it('are rejected if the size is wrong', () => {
    const events = log(...SYSTEM);
    events[0]!.event_payload = '00';
    expect(() => systemValues(events)).toThrow(/20/);
  });
  it('exclude events of another register or type', () => {
    for (const change of [
      { imr: 2 as const, digest: '00'.repeat(48) },
      { event_type: RUNTIME_EVENT + 1, digest: '00'.repeat(48) },
    ])
      expect(() =>
        systemValues(
          log(...SYSTEM).map((event) => (event.event === 'app-id' ? { ...event, ...change } : event)),
        ),
      ).toThrow(EventLogError);
  });
});

describe('derived identities', () => {
  const app = {
    composeHash: COMPOSE_HASH,
    appId: COMPOSE_HASH.slice(0, 40),
    instanceId: 'c3'.repeat(20),
    keyProvider: { name: 'kms', id: '3059' },
    gpuPolicyHash: undefined,
    initScriptHashes: [],
  };
  it('derive the device ID as the SHA-256 of the PPID', () => {
    expect(deviceId('897d3eb76ea887b783f9ad3d0771034b')).toBe(
      'ea0ba482106a22ecb76b59b95fed32b5cc3a81534b27ee01a25a10a87cca7d03',
    );
  });
  it('bind the compose hash in MRCONFIGID (form 1)', () => {
    expect(configRegisters(1, app)).toEqual([`01${COMPOSE_HASH}${'00'.repeat(15)}`]);
  });
  it('change with the app, key provider kind and key provider ID (form 2)', () => {
    const registers = [
      app,
      { ...app, appId: 'ab'.repeat(20) },
      { ...app, keyProvider: { name: 'tpm', id: '3059' } },
      { ...app, keyProvider: { name: 'kms', id: '3060' } },
    ].map((one) => configRegisters(2, one)[0]);
    expect(new Set(registers).size).toBe(4);
    expect(registers[0]).toMatch(/^02[0-9a-f]{64}0{30}$/);
  });
  it('match documents with omitted fields unless they contradict the log (form 3)', () => {
    const document = JSON.stringify({ compose_hash: COMPOSE_HASH, key_provider: 'kms', version: 3 });
    expect(configRegisters(3, app)).toContain(mrConfigV3(document));
    expect(documentFault(document, app)).toBeNull();
    expect(documentFault(document.replace('kms', 'tpm'), app)).not.toBeNull();
    expect(documentFault(document.replace('37', '38'), app)).not.toBeNull();
    expect(documentFault('[]', app)).not.toBeNull();
    expect(documentFault('nope', app)).not.toBeNull();
  });
  it('accept a key provider only in dstack’s form', () => {
    const hexOf = (text: string): string => bytesToHex(new TextEncoder().encode(text));
    expect(parseKeyProvider(hexOf('{"name":"kms","id":"AB"}'))).toEqual({ name: 'kms', id: 'ab' });
    for (const text of [
      '',
      '[]',
      'null',
      '{"name":"kms"}',
      '{"name":1,"id":""}',
      '{"name":"kms","id":"xyz"}',
    ])
      expect(parseKeyProvider(hexOf(text)), text).toBeNull();
    expect(parseKeyProvider('ff')).toBeNull();
  });
});
