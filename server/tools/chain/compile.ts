import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';
import { ROOT } from '../../root';

const require = createRequire(import.meta.url);
const SOURCES = join(ROOT, 'server/tools/chain/contracts');
const CACHE = join(ROOT, 'node_modules/.cache/teehouse-contracts');

export interface CompiledContract {
  abi: Abi;
  bytecode: Hex;
  /** Selectors without 0x, by signature. */
  selectors: Record<string, string>;
}
export type CompiledContracts = Record<string, CompiledContract>;

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<
    string,
    Record<
      string,
      { abi: Abi; evm: { bytecode: { object: string }; methodIdentifiers: Record<string, string> } }
    >
  >;
}

/**
 * Compiles the contracts of the development chain. Takes about a second, so the result is kept in node_modules/.cache
 * until a source or the compiler changes.
 */
export function compileContracts(): CompiledContracts {
  const { version } = require('solc/package.json') as { version: string };
  const names = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.sol'))
    .sort();
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map((name) => [name, { content: readFileSync(join(SOURCES, name), 'utf8') }]),
    ),
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  });
  const key = createHash('sha256').update(version).update(input).digest('hex').slice(0, 24);
  const cached = join(CACHE, `${key}.json`);
  const known = readIfThere(cached);
  if (known !== undefined) return JSON.parse(known) as CompiledContracts;
  const contracts = compile(input);
  mkdirSync(CACHE, { recursive: true });
  // Renamed into place, so that concurrent readers see the whole file or none.
  const draft = `${cached}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(contracts));
  renameSync(draft, cached);
  return contracts;
}

function compile(input: string): CompiledContracts {
  // A separate process: the compiler takes 200 MB and leaves handlers for uncaught errors behind.
  const solc = spawnSync(process.execPath, [require.resolve('solc/solc.js'), '--standard-json'], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (solc.status !== 0) throw new Error(`solc failed: ${solc.stderr || solc.error?.message}`);
  const { errors, contracts } = JSON.parse(solc.stdout.slice(solc.stdout.indexOf('{'))) as Output;
  const [first] = errors ?? [];
  if (first) throw new Error(`The contracts don't compile cleanly: ${first.formattedMessage}`);
  return Object.fromEntries(
    Object.values(contracts ?? {}).flatMap((file) =>
      Object.entries(file).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` as Hex, selectors: evm.methodIdentifiers },
      ]),
    ),
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws {Error} if no source defines it */
export function compiledContract(name: string): CompiledContract {
  const contract = compileContracts()[name];
  if (!contract) throw new Error(`No contract ${name} in ${SOURCES}`);
  return contract;
}
