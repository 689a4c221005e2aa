import { encodeEventTopics, encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { deployAppCall, deployedApp } from './appAuth';

const ABI = parseAbi([
  'function deployAndRegisterApp(address,bool,bool,bytes32,bytes32)',
  'event AppDeployedViaFactory(address indexed appId, address indexed deployer)',
]);
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const APP = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const KMS = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const HASH = 'ab'.repeat(32);
const DEVICE = '1f'.repeat(32);

describe('the transaction that deploys an app’s contract', () => {
  it('is encoded as in viem', () => {
    const call = deployAppCall({ owner: OWNER, compose_hash: `0x${HASH.toUpperCase()}`, device_id: DEVICE });
    const args = [OWNER, false, false, `0x${DEVICE}`, `0x${HASH}`] as const;
    expect(call.data).toBe(encodeFunctionData({ abi: ABI, functionName: 'deployAndRegisterApp', args }));
    expect(call.argument).toBe(args.join(' '));
  });

  it.each([
    { owner: '0x12', compose_hash: HASH, device_id: DEVICE },
    { owner: OWNER, compose_hash: 'no hash', device_id: DEVICE },
    { owner: OWNER, compose_hash: HASH, device_id: '' },
  ])('rejects malformed values', (policy) => {
    expect(() => deployAppCall(policy)).toThrow(RangeError);
  });
});

describe('the app in a receipt', () => {
  const topics = encodeEventTopics({
    abi: ABI,
    eventName: 'AppDeployedViaFactory',
    args: { appId: APP, deployer: OWNER },
  });

  it('is read from the KMS contract’s event', () => {
    const logs = [
      { address: KMS, topics: ['0x00'] },
      { address: KMS.toLowerCase(), topics },
    ];
    expect(deployedApp(logs, KMS)).toEqual({
      app_id: APP.slice(2).toLowerCase(),
      deployer_address: OWNER.toLowerCase(),
    });
  });

  it('is null for logs of another contract or format', () => {
    for (const logs of [
      undefined,
      null,
      'logs',
      [null, 7, {}],
      [{ address: APP, topics }],
      [{ address: KMS, topics: topics.slice(0, 2) }],
      [{ address: KMS, topics: [topics[0], `0x${'f'.repeat(64)}`, topics[2]] }],
    ])
      expect(deployedApp(logs, KMS)).toBeNull();
  });
});
