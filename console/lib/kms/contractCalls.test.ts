import { encodeFunctionData, parseAbi } from 'viem';
import { expect, it } from 'vitest';
import { CHAINS } from './chains';
import { castCommand, commandRpc, contractCall, type ContractFunction } from './contractCalls';

const HASH = 'ab'.repeat(32);
const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

it.each<[ContractFunction, string, string, unknown[]]>([
  ['addComposeHash', `0x${HASH.toUpperCase()}`, 'bytes32', [`0x${HASH}`]],
  ['removeComposeHash', HASH, 'bytes32', [`0x${HASH}`]],
  ['addDevice', 'd1', 'bytes32', [`0xd1${'0'.repeat(62)}`]],
  ['removeDevice', HASH, 'bytes32', [`0x${HASH}`]],
  ['setAllowAnyDevice', 'true', 'bool', [true]],
  ['setRequireTcbUpToDate', 'false', 'bool', [false]],
  ['transferOwnership', ADDRESS, 'address', [ADDRESS]],
  ['acceptOwnership', '', '', []],
  ['renounceOwnership', '', '', []],
  ['disableUpgrades', '', '', []],
  ['addOsImageHash', HASH, 'bytes32', [`0x${HASH}`]],
  ['removeOsImageHash', HASH, 'bytes32', [`0x${HASH}`]],
  ['addKmsDevice', HASH, 'bytes32', [`0x${HASH}`]],
  ['removeKmsDevice', HASH, 'bytes32', [`0x${HASH}`]],
  ['addKmsAggregatedMr', HASH, 'bytes32', [`0x${HASH}`]],
  ['removeKmsAggregatedMr', HASH, 'bytes32', [`0x${HASH}`]],
  ['setGatewayAppId', 'ab'.repeat(20), 'string', ['ab'.repeat(20)]],
  ['setGatewayAppId', 'any', 'string', ['any']],
  ['setAppImplementation', ADDRESS, 'address', [ADDRESS]],
])('encodes %s as viem does', (name, value, type, args) => {
  const abi = parseAbi([`function ${name}(${type})`] as readonly string[]);
  const call = contractCall(name, value);
  expect(call.data).toBe(encodeFunctionData({ abi, functionName: name, args } as never));
  expect(call.signature).toBe(`${name}(${type})`);
});

it('rejects values that don’t match the argument’s type', () => {
  expect(() => contractCall('addDevice', 'not hex')).toThrow(RangeError);
  expect(() => contractCall('setAllowAnyDevice', 'yes')).toThrow(RangeError);
  expect(() => contractCall('transferOwnership', '0x12')).toThrow(RangeError);
  expect(() => contractCall('setGatewayAppId', "any'; rm -rf /")).toThrow(RangeError);
  for (const value of ['', 'a'.repeat(39), `0x${'a'.repeat(40)}`])
    expect(() => contractCall('setGatewayAppId', value)).toThrow(RangeError);
});

it('returns the command that sends it', () => {
  expect(castCommand(contractCall('addComposeHash', HASH), ADDRESS, 'https://rpc.example')).toBe(
    `cast send ${ADDRESS} 'addComposeHash(bytes32)' 0x${HASH} --rpc-url https://rpc.example --interactive`,
  );
  expect(castCommand(contractCall('acceptOwnership'), ADDRESS, 'https://rpc.example')).toBe(
    `cast send ${ADDRESS} 'acceptOwnership()' --rpc-url https://rpc.example --interactive`,
  );
});

it('uses the network’s RPC in a command, but none that may belong to another installation', () => {
  const rpcOf = (slug: string) => commandRpc(CHAINS.find((chain) => chain.slug === slug)!);
  expect(rpcOf('base')).toBe('https://mainnet.base.org');
  expect(rpcOf('local')).toBe('"$ETH_RPC_URL"');
});
