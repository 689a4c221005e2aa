import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8 } from '../bytes';
import type { ContractCall } from './contractCalls';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

interface Batch {
  chain_id: number;
  /** Target of all calls. */
  contract: string;
  calls: readonly Pick<ContractCall, 'signature' | 'argument' | 'data'>[];
  name: string;
  description: string;
  created_at: Date;
}

/**
 * Returns calls as a file for import into Safe's Transaction Builder (version 1.0), so that a multisig wallet's
 * owners sign all of them together.
 */
export function safeFile({ chain_id, contract, calls, name, description, created_at }: Batch): string {
  const meta = {
    name,
    description,
    txBuilderVersion: '1.17.1',
    // The importing owner chooses the Safe.
    createdFromSafeAddress: '',
    createdFromOwnerAddress: '',
  };
  const file = {
    version: '1.0',
    chainId: String(chain_id),
    createdAt: created_at.getTime(),
    meta,
    transactions: calls.map((call) => transactionOf(call, contract)),
  };
  return `${JSON.stringify({ ...file, meta: { ...meta, checksum: safeChecksum(file) } }, null, 2)}\n`;
}

/** Only the data counts; the method is what Safe shows to its owners. */
function transactionOf({ signature, argument, data }: Batch['calls'][number], to: string) {
  const [, method = '', kind = ''] = /^(\w+)\((\w*)\)$/.exec(signature) ?? [];
  const value = { to, value: '0', data };
  const inputs = kind === '' ? [] : [{ internalType: kind, name: 'value', type: kind }];
  // A command line quotes a text; here the quotes would become part of it if an owner edits the transaction.
  const plain = kind === 'string' ? argument?.replace(/^'(.*)'$/, '$1') : argument;
  return {
    ...value,
    contractMethod: { inputs, name: method, payable: false },
    contractInputsValues: plain == null ? {} : { value: plain },
  };
}

/** Returns the checksum of a file without one: over its values in key order, regardless of its name. */
export function safeChecksum<T extends { meta: object }>(file: T): string {
  const canonical = inOrder({ ...file, meta: { ...file.meta, name: null } } as unknown as Json);
  return `0x${bytesToHex(keccak_256(utf8(canonical)))}`;
}

/** Keys in order, then each value with a comma: what the Transaction Builder hashes, which isn't JSON. */
function inOrder(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as Record<string, Json>).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const keys = JSON.stringify(entries.map(([key]) => key));
  return `{${keys}${entries.map(([, one]) => `${inOrder(one)},`).join('')}}`;
}
