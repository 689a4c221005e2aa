import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createKmsDriver } from '../kms/rpc';
import { vmmContract, type ContractTarget } from './contract';
import { fakeKmsRoot } from './fakeKms';
import { startFakeVmm } from './fake';
import { createVmmDriver } from './rpc';

const repo = path.resolve(import.meta.dirname, '../../..');

async function fake(version?: string): Promise<ContractTarget> {
  const host = await startFakeVmm({ token: 'contract-token', ...(version === undefined ? {} : { version }) });
  const driver = createVmmDriver({
    url: host.url,
    credential: { type: 'bearer', token: 'contract-token' },
    agent: 'vmm',
  });
  return {
    driver,
    image: 'dstack-0.6.0',
    k256_pubkey: fakeKmsRoot.k256_pubkey,
    patience_ms: 5_000,
    simulated: false,
    container_logs: true,
    async close() {
      await driver.close();
      await host.close();
    },
  };
}

vmmContract('the test host', () => fake());
vmmContract('the test host as dstack-vmm 0.5.5, without UpdateVm', () => fake('0.5.5'));

/** The built-in teepod as the server runs it: a separate process behind a Unix socket. */
async function localTeepod(): Promise<ContractTarget> {
  const dir = await mkdtemp(path.join(tmpdir(), 'teehouse-contract-'));
  const url = `unix:${dir}/vmm.sock`;
  const child = fork(path.join(repo, 'server/teepod/main.ts'), {
    cwd: repo,
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, TEEPOD_DIR: dir, TEEPOD_LISTEN: url, TEEPOD_ENGINE: 'simulate' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await ready(child);
  const driver = createVmmDriver({ url, agent: 'vmm' });
  const kms = createKmsDriver({ url: `${url}:/kms` });
  const { k256_pubkey } = await kms.getMeta();
  await kms.close();
  return {
    driver,
    image: (await driver.listImages())[0]?.name ?? '',
    k256_pubkey,
    patience_ms: 30_000,
    simulated: true,
    container_logs: true,
    async close() {
      await driver.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(force);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the teepod exited with ${code} before it was ready`)));
    child.once('error', reject);
    child.on('message', (message) => {
      if ((message as { ready?: boolean }).ready) resolve();
    });
  });
}

vmmContract('the built-in local teepod', localTeepod);

// Any real dstack-vmm: TEEHOUSE_CONTRACT_VMM is its URL. Only VMs created here are touched.
const {
  TEEHOUSE_CONTRACT_VMM: realUrl,
  TEEHOUSE_CONTRACT_VMM_TOKEN: token,
  TEEHOUSE_CONTRACT_VMM_CA: ca,
  TEEHOUSE_CONTRACT_VMM_IMAGE: image,
  TEEHOUSE_CONTRACT_KMS_K256: k256,
} = process.env;
if (realUrl !== undefined && realUrl !== '')
  vmmContract(`dstack-vmm at ${realUrl}`, async () => {
    const driver = createVmmDriver({
      url: realUrl,
      credential: token ? { type: 'bearer', token } : null,
      ...(ca ? { tls: { ca } } : {}),
    });
    return {
      driver,
      image: image ?? (await driver.listImages())[0]?.name ?? '',
      k256_pubkey: k256 ?? null,
      patience_ms: 15 * 60_000,
      simulated: false,
      container_logs: false,
      close: () => driver.close(),
    };
  });
