import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  decodeEventLog,
  keccak256,
  pad,
  stringToBytes,
  toEventSelector,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAnvil, type Anvil } from './anvil';
import { compileContracts, compiledContract } from './compile';
import { deployKms, type DeployedKms, type KmsVersion } from './deploy';
import { startDevChain } from './devChain';

// Selectors and topics of dstack's contracts, which clients have compiled in.
const KMS_SELECTORS = {
  'registerApp(address)': '17a1d80f',
  'deployAndRegisterApp(address,bool,bool,bool,bytes32,bytes32)': '9cb9c31f',
  'deployAndRegisterApp(address,bool,bool,bytes32,bytes32)': '8618169d',
  'setAppImplementation(address)': '3ceaaa11',
  'appImplementation()': '25a992da',
  'registeredApps(address)': 'a6c4cce9',
  'allowedOsImages(bytes32)': '9a4e1d18',
  'addOsImageHash(bytes32)': '06a3ae96',
  'removeOsImageHash(bytes32)': '9425bac6',
  'kmsAllowedAggregatedMrs(bytes32)': 'f6fe4f40',
  'addKmsAggregatedMr(bytes32)': '3e32d346',
  'removeKmsAggregatedMr(bytes32)': '2adee48d',
  'kmsAllowedDeviceIds(bytes32)': '13eb9770',
  'addKmsDevice(bytes32)': '4d5922a1',
  'removeKmsDevice(bytes32)': '9e6f3114',
  'kmsInfo()': '09177063',
  'setKmsInfo((bytes,bytes,bytes,bytes))': '7d025352',
  'setKmsQuote(bytes)': '18c1ecb2',
  'setKmsEventlog(bytes)': '736ede7a',
  'gatewayAppId()': '95f51931',
  'setGatewayAppId(string)': '3971db27',
  'initialize(address,address)': '485cc955',
};
const BOOT_INFO = '(address,bytes32,address,bytes32,bytes32,bytes32,bytes32,string,string[])';
const APP_SELECTORS = {
  'addComposeHash(bytes32)': 'dfc77223',
  'removeComposeHash(bytes32)': '67b3f22c',
  'allowedComposeHashes(bytes32)': '2f6622e5',
  'addDevice(bytes32)': '2a819728',
  'removeDevice(bytes32)': '1d266200',
  'allowedDeviceIds(bytes32)': 'bf8b211b',
  'setAllowAnyDevice(bool)': '7c4beeb8',
  'allowAnyDevice()': '3440a16a',
  'disableUpgrades()': 'ec669036',
  'initialize(address,bool,bool,bytes32,bytes32)': '187515ca',
  'owner()': '8da5cb5b',
  'transferOwnership(address)': 'f2fde38b',
  'renounceOwnership()': '715018a6',
  'upgradeToAndCall(address,bytes)': '4f1ef286',
  'proxiableUUID()': '52d1902d',
  'supportsInterface(bytes4)': '01ffc9a7',
};
const TCB_SELECTORS = {
  'setRequireTcbUpToDate(bool)': '6e4c7422',
  'requireTcbUpToDate()': '0aa58c83',
  'version()': '54fd4d50',
  'initialize(address,bool,bool,bool,bytes32,bytes32)': '9ed28193',
};
const TWO_STEP_SELECTORS = { 'pendingOwner()': 'e30c3978', 'acceptOwnership()': '79ba5097' };
const TOPICS = {
  'Transfer(address,address,uint256)': 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  'AppRegistered(address)': '0d540ad8f39e07d19909687352b9fa017405d93c91a6760981fbae9cf28bfef7',
  'AppDeployedViaFactory(address,address)':
    'fd86d7f6962eba3b7a3bf9129c06c0b2f885e1c61ef2c9f0dbb856be0deefdee',
  'AppImplementationSet(address)': '08bb433f12b5fd81d2d5e0deeb3b4d28371781ddbd80e9d053e7468d2b1aa82d',
  'KmsInfoSet(bytes)': '77cdad119a452bbd96c45635758fc4af8a6bde3deaccf3fada634ddf9a162706',
  'KmsAggregatedMrAdded(bytes32)': '68615a0b92795750b3d180ff73429e1291d225e449eee954a567b91104fd9837',
  'KmsAggregatedMrRemoved(bytes32)': '54cd662e41eec7ddf0f32f034b2533e481b471dd3ea978222d609ec8fffb1bb0',
  'KmsDeviceAdded(bytes32)': 'f2b290637b1193e12eb38ab32b986303639b1687cc2cd1e25f993e6eae2f4041',
  'KmsDeviceRemoved(bytes32)': '1a9888a45e3df8b7e6bb3090747d598d2a0d78e61388161a90799f54df8f4434',
  'OsImageHashAdded(bytes32)': '4911843506849c85a5ca6e6e2c01eed2d3ab86baba619517a2aad9d5ab2aeff2',
  'OsImageHashRemoved(bytes32)': '99b3cee95daf3138d0c982299cd0264f5b7a61aa629b42b92f3ec8966aa7f6fe',
  'GatewayAppIdSet(string)': '5b2b64f770ea5266055ebd3ebf205ef06cbfa738e62684edf0e28356e34acf06',
  'ComposeHashAdded(bytes32)': 'fecb34306dd9d8b785b54d65489d06afc8822a0893ddacedff40c50a4942d0af',
  'ComposeHashRemoved(bytes32)': '755b79bd4b0eeab344d032284a99003b2ddc018b646752ac72d681593a6e8947',
  'DeviceAdded(bytes32)': '67fc71ab96fe3fa3c6f78e9a00e635d591b7333ce611c0380bc577aac702243b',
  'DeviceRemoved(bytes32)': 'e0862975ac517b0478d308012afabc4bc37c23874a18144d7f2dfb852ff95c2c',
  'AllowAnyDeviceSet(bool)': 'bb2cdb6c7b362202d40373f87bc4788301cca658f91711ac1662e1ad2cba4a20',
  'RequireTcbUpToDateSet(bool)': 'afae60561b2481a349b45b3a47357f70eef6ae67e5b6e1749d74de7f19a25aa1',
  'UpgradesDisabled()': '0e5daa943fcd7e7182d0e893d180695c2ea9f6f1b4a1c5432faf14cf17b774e8',
  'OwnershipTransferred(address,address)': '8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
  'OwnershipTransferStarted(address,address)':
    '38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e22700',
  'Upgraded(address)': 'bc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
  'Initialized(uint64)': 'c7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2',
  'PolicyChanged(address,bytes32,bytes32,bool)':
    '341d3bc64e32172fc5bcf27b0f7f69dc5adc19af64b7aa1dee361e5883c32375',
};

describe('compiled contracts', () => {
  it.each([
    ['DstackKms', { ...KMS_SELECTORS, ...TWO_STEP_SELECTORS }],
    ['DstackKms059', KMS_SELECTORS],
    ['DstackKms', { [`isAppAllowed(${BOOT_INFO})`]: '1e079198', [`isKmsAllowed(${BOOT_INFO})`]: 'e067ec9d' }],
    ['DstackApp', { ...APP_SELECTORS, ...TCB_SELECTORS, ...TWO_STEP_SELECTORS }],
    ['DstackApp059', { ...APP_SELECTORS, ...TCB_SELECTORS }],
    ['DstackApp053', { ...APP_SELECTORS, [`isAppAllowed(${BOOT_INFO})`]: '1e079198' }],
  ])('%s has the selectors that clients call', (name, selectors) => {
    expect(compiledContract(name).selectors).toMatchObject(selectors);
  });

  it('lack the features missing from their release', () => {
    const has = (name: string) => Object.keys(compiledContract(name).selectors);
    expect(has('DstackKms053')).not.toContain('deployAndRegisterApp(address,bool,bool,bool,bytes32,bytes32)');
    expect(has('DstackApp053')).not.toContain('requireTcbUpToDate()');
    for (const name of ['DstackKms059', 'DstackApp059']) expect(has(name)).not.toContain('acceptOwnership()');
  });

  it('emit the events that clients expect', () => {
    const compiled = new Map<string, string>();
    for (const { abi } of Object.values(compileContracts()))
      for (const item of abi)
        if (item.type === 'event')
          compiled.set(
            `${item.name}(${item.inputs.map(({ type }) => type).join(',')})`,
            toEventSelector(item).slice(2),
          );
    expect(Object.fromEntries(compiled)).toEqual(TOPICS);
  });
});

const word = (byte: string): Hex => `0x${byte.repeat(32)}`;
const ZERO = word('00');

describe('deployed contracts', () => {
  let anvil: Anvil;
  let accounts: Address[];
  const kms = {} as Record<KmsVersion, DeployedKms>;

  beforeAll(async () => {
    anvil = await startAnvil();
    accounts = await anvil.client.getAddresses();
    for (const version of ['0.5.3', '0.5.9', 'next'] as const)
      kms[version] = await deployKms(anvil.client, { version });
  });
  afterAll(() => anvil?.stop());

  const read = <T>(at: { address: Address; abi: Abi }, functionName: string, args: unknown[] = []) =>
    anvil.client.readContract({ ...at, functionName, args }) as Promise<T>;
  const fails = (sent: Promise<unknown>) =>
    sent.then(
      () => 'it succeeded',
      (error: unknown) => String((error as Error).message),
    );
  async function deployApp(version: KmsVersion, args: unknown[]) {
    const receipt = await kms[version].send('deployAndRegisterApp', [accounts[0], ...args]);
    const names = receipt.logs.flatMap((log) => {
      const { abi } = log.address === kms[version].address.toLowerCase() ? kms[version] : kms[version].app;
      const parsed = decodeEventLog({ abi, ...log, strict: false });
      return parsed.eventName === 'PolicyChanged' ? [] : [parsed];
    });
    const found = names.find(({ eventName }) => eventName === 'AppDeployedViaFactory');
    if (!found) throw new Error('no app was deployed');
    const { appId, deployer } = found.args as unknown as { appId: Address; deployer: Address };
    expect(deployer).toBe(accounts[0]);
    return { app: kms[version].appAt(appId), events: names.map(({ eventName }) => eventName) };
  }
  const boot = (appId: Address, change: Record<string, unknown> = {}) => ({
    appId,
    composeHash: word('c1'),
    instanceId: accounts[9],
    deviceId: word('d1'),
    mrAggregated: word('a1'),
    mrSystem: ZERO,
    osImageHash: word('05'),
    tcbStatus: 'UpToDate',
    advisoryIds: [],
    ...change,
  });

  it.each<[KmsVersion, unknown[]]>([
    ['0.5.3', [false, false, word('d1'), word('c1')]],
    ['0.5.9', [false, false, word('d1'), word('c1')]],
    ['next', [false, true, false, word('d1'), word('c1')]],
  ])('%s: reports why an app may not boot, in order, until everything is allowed', async (version, args) => {
    const registry = kms[version];
    const { app, events } = await deployApp(version, args);
    expect(events).toEqual(
      expect.arrayContaining(['ComposeHashAdded', 'DeviceAdded', 'AppRegistered', 'AppDeployedViaFactory']),
    );
    expect(events).not.toContain('AllowAnyDeviceSet');
    const verdict = (change?: Record<string, unknown>) =>
      read(registry, 'isAppAllowed', [boot(app.address, change)]);
    const nowhere = accounts[5] as Address;
    expect(await read(registry, 'isAppAllowed', [boot(nowhere)])).toEqual([false, 'App not registered']);
    expect(await verdict()).toEqual([false, 'OS image is not allowed']);
    await registry.send('addOsImageHash', [word('05')]);
    await registry.send('registerApp', [nowhere], accounts[7]);
    expect(await read(registry, 'isAppAllowed', [boot(nowhere)])).toEqual([
      false,
      'App not deployed or invalid address',
    ]);
    expect(await verdict()).toEqual([true, '']);
    const outdated = await verdict({ tcbStatus: 'OutOfDate' });
    expect(outdated).toEqual(version === 'next' ? [false, 'TCB status is not up to date'] : [true, '']);
    expect(await verdict({ composeHash: word('c2') })).toEqual([false, 'Compose hash not allowed']);
    expect(await verdict({ deviceId: word('d2') })).toEqual([false, 'Device not allowed']);
    await app.send('setAllowAnyDevice', [true]);
    expect(await verdict({ deviceId: word('d2') })).toEqual([true, '']);
    await app.send('removeComposeHash', [word('c1')]);
    expect(await verdict()).toEqual([false, 'Compose hash not allowed']);
  });

  it('expose flags and lists where clients read them', async () => {
    const { app } = await deployApp('next', [true, true, true, ZERO, ZERO]);
    const slot = (index: number) =>
      anvil.client.getStorageAt({ address: app.address, slot: pad(`0x0${index}`) as Hex });
    expect(await slot(1)).toBe(`0x${'00'.repeat(30)}0101`);
    expect(await slot(3)).toBe(`0x${'00'.repeat(31)}01`);
    await app.send('addComposeHash', [word('c3')]);
    const entry = (mapping: number) =>
      anvil.client.getStorageAt({
        address: app.address,
        slot: keccak256(`${word('c3')}${pad(`0x0${mapping}`).slice(2)}`),
      });
    expect(await entry(0)).toBe(pad('0x01'));
    expect(await entry(2)).toBe(ZERO);
    for (const [id, supported] of [
      ['0x1e079198', true],
      ['0x8fd37527', true],
      ['0xffffffff', false],
    ] as const)
      expect(await read(app, 'supportsInterface', [id])).toBe(supported);
    // Zero means that nothing is added.
    expect(await read(app, 'allowedDeviceIds', [ZERO])).toBe(false);
  });

  it('refuse with the errors that clients decode', async () => {
    const registry = kms.next;
    const stranger = accounts[3] as Address;
    const { app } = await deployApp('next', [true, false, false, ZERO, ZERO]);
    expect(await fails(app.send('addComposeHash', [word('c1')], stranger))).toContain(
      'OwnableUnauthorizedAccount',
    );
    const args = [app.address, '0x'];
    expect(await fails(app.send('upgradeToAndCall', args))).toContain('Upgrades are permanently disabled');
    const none = `0x${'00'.repeat(20)}`;
    const initialize = [stranger, false, false, ZERO, ZERO];
    expect(await fails(app.send('initialize', initialize))).toContain('InvalidInitialization');
    expect(await fails(registry.send('registerApp', [none]))).toContain('Invalid app ID');
    expect(await fails(registry.send('setAppImplementation', [none]))).toContain(
      'Invalid implementation address',
    );
    const ownerless = [none, false, false, ZERO, ZERO];
    expect(await fails(registry.send('deployAndRegisterApp', ownerless))).toContain('Invalid owner address');
    expect(await fails(registry.send('upgradeToAndCall', [stranger, '0x']))).toContain(
      'ERC1967InvalidImplementation',
    );
    const errors = [
      'OwnableUnauthorizedAccount',
      'OwnableInvalidOwner',
      'InvalidInitialization',
      'NotInitializing',
    ];
    const declared = compiledContract('DstackApp').abi.flatMap((item) =>
      item.type === 'error' ? [item.name] : [],
    );
    expect(declared).toEqual(
      expect.arrayContaining([...errors, 'UUPSUnauthorizedCallContext', 'FailedCall']),
    );
  });

  it('move to a new owner in one step or two', async () => {
    const next = accounts[2] as Address;
    const old = await deployApp('0.5.9', [false, false, ZERO, ZERO]);
    await old.app.send('transferOwnership', [next]);
    expect(await read(old.app, 'owner')).toBe(next);
    const { app } = await deployApp('next', [false, false, false, ZERO, ZERO]);
    await app.send('transferOwnership', [next]);
    expect(await read(app, 'owner')).toBe(accounts[0]);
    expect(await read(app, 'pendingOwner')).toBe(next);
    expect(await fails(app.send('acceptOwnership', []))).toContain('OwnableUnauthorizedAccount');
    await app.send('acceptOwnership', [], next);
    expect(await read(app, 'owner')).toBe(next);
    await app.send('renounceOwnership', [], next);
    expect(await read(app, 'owner')).toBe(`0x${'00'.repeat(20)}`);
  });

  it('emit policy changes in the next version only', async () => {
    const { app } = await deployApp('next', [false, false, false, ZERO, ZERO]);
    const { logs } = await app.send('addDevice', [word('d3')]);
    const [, policy] = logs.map((log) => decodeEventLog({ abi: app.abi, ...log }));
    expect(policy).toEqual({
      eventName: 'PolicyChanged',
      args: {
        actor: accounts[0],
        policy: keccak256(stringToBytes('device')),
        value: word('d3'),
        enabled: true,
      },
    });
    const old = await deployApp('0.5.9', [false, false, ZERO, ZERO]);
    expect((await old.app.send('addDevice', [word('d3')])).logs).toHaveLength(1);
  });
});

it('keeps the development chain and its KMS contract across restarts', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'teehouse-chain-'));
  const first = await startDevChain({ dir, port: 0 });
  await first.kms.send('addOsImageHash', [word('05')]);
  await first.stop();
  const second = await startDevChain({ dir, port: 0 });
  expect(second.kms.address).toBe(first.kms.address);
  const allowed = await second.client.readContract({
    ...second.kms,
    functionName: 'allowedOsImages',
    args: [word('05')],
  });
  expect(allowed).toBe(true);
  await second.stop();
  await rm(dir, { recursive: true });
});
