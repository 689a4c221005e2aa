import { expect, it } from 'vitest';
import { contractCall } from './contractCalls';
import { safeChecksum, safeFile } from './safeFile';

const APP = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

/** A file written by Safe's Transaction Builder 1.18.2. */
const PUBLISHED = {
  version: '1.0',
  chainId: '1',
  createdAt: 1761326849944,
  meta: {
    name: 'Transactions Batch',
    description: '',
    txBuilderVersion: '1.18.2',
    createdFromSafeAddress: '0xA77DE01e157f9f57C7c4A326eeE9C4874D0598b6',
    createdFromOwnerAddress: '',
  },
  transactions: [
    {
      to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      value: '0',
      data: null,
      contractMethod: {
        inputs: [
          { internalType: 'address', name: 'spender', type: 'address' },
          { internalType: 'uint256', name: 'value', type: 'uint256' },
        ],
        name: 'approve',
        payable: false,
      },
      contractInputsValues: { spender: '0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8', value: '100000000000' },
    },
  ],
};

it('has the checksum that Safe computes, regardless of the file’s name', () => {
  const checksum = '0x8b5032f716845c8b08bab3d63dbd9ba92e056f3557793cd041e59b84e16aa989';
  expect(safeChecksum(PUBLISHED)).toBe(checksum);
  expect(safeChecksum({ ...PUBLISHED, meta: { ...PUBLISHED.meta, name: 'Renamed' } })).toBe(checksum);
  expect(safeChecksum({ ...PUBLISHED, chainId: '8453' })).not.toBe(checksum);
});

it('contains every call to the contract, and its own checksum', () => {
  const text = safeFile({
    chain_id: 8453,
    contract: APP,
    calls: [contractCall('addComposeHash', 'bb'.repeat(32)), contractCall('acceptOwnership')],
    name: 'Revision 2',
    description: 'Allows revision 2',
    created_at: new Date(1_761_326_849_944),
  });
  const { meta, ...file } = JSON.parse(text) as typeof PUBLISHED & { meta: { checksum: string } };
  const { checksum, ...unsigned } = meta;
  expect(checksum).toBe(safeChecksum({ ...file, meta: unsigned }));
  expect(file).toMatchObject({ version: '1.0', chainId: '8453', createdAt: 1_761_326_849_944 });
  const method = (name: string, inputs: unknown[]) => ({ name, payable: false, inputs });
  expect(file.transactions).toEqual([
    {
      to: APP,
      value: '0',
      data: `0xdfc77223${'bb'.repeat(32)}`,
      contractMethod: method('addComposeHash', [{ internalType: 'bytes32', name: 'value', type: 'bytes32' }]),
      contractInputsValues: { value: `0x${'bb'.repeat(32)}` },
    },
    {
      to: APP,
      value: '0',
      data: '0x79ba5097',
      contractMethod: method('acceptOwnership', []),
      contractInputsValues: {},
    },
  ]);
});

it('contains a text without the quotes of a command line', () => {
  const text = safeFile({
    chain_id: 8453,
    contract: APP,
    calls: [contractCall('setGatewayAppId', 'any')],
    name: 'Set the gateway',
    description: '',
    created_at: new Date(1_761_326_849_944),
  });
  const { transactions } = JSON.parse(text) as { transactions: { contractInputsValues: object }[] };
  expect(transactions.map((one) => one.contractInputsValues)).toEqual([{ value: 'any' }]);
});
