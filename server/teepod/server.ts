/** Wires the parts together: state, engine, listener, gateway. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import type { TeepodConfig } from './config';
import { makeDirectory, writeDurable } from './durable';
import { DockerEngine } from './engine/docker';
import { findDocker } from './engine/find';
import { SimulatedEngine } from './engine/simulated';
import { Registries } from './engine/registries';
import type { Engine } from './engine/types';
import { gatewayServer } from './gateway';
import { teepodServer } from './http';
import type { ChainKms } from './kms/chainKms';
import { Kms } from './kms';
import { say } from './log';
import { Manager } from './manager';
import { Planner } from './planner';
import type { Surroundings } from './rpc';
import { Store } from './store';

export interface Teepod {
  /** `http://host:port` or `unix:/path` */
  listen: string;
  gateway_port: number;
  engine: Engine['kind'];
  /** Why containers are simulated; empty when Docker is used. */
  engine_note: string;
  /** This machine's device ID in contracts, 64 hex digits. */
  device_id: string;
  /** The contract of its second KMS; null without one. */
  kms_contract: { address: string; chain_id: number } | null;
  manager: Manager;
  /** Containers keep running. */
  close(): Promise<void>;
}

/** For a machine whose Docker was removed: without it, each start would wait. */
const END_WAITS = 'if Docker is gone, start once with LOCAL_TEEPOD_ENGINE=simulate';

export async function startTeepod(config: TeepodConfig): Promise<Teepod> {
  await makeDirectory(config.dir);
  const unlock = await lock(config.dir);
  try {
    const store = await Store.open(config.dir);
    const kms = await Kms.open(join(config.dir, 'kms'));
    const { engine, note } = await openEngine(config, store);
    const device_id = await deviceId(config.dir);
    const chainKms = await openChainKms(config, device_id);
    const manager = new Manager(config, {
      store,
      engine,
      kms,
      chainKms,
      webhook: config.kms_webhook,
      device_id,
      planner: new Planner(),
    });
    await manager.load();
    const surroundings: Surroundings = {
      manager,
      url: '',
      gateway: { host: config.gateway_listen.host, port: 0 },
    };

    const gateway = gatewayServer(surroundings);
    surroundings.gateway.port = await listenGateway(gateway, config);

    const server = teepodServer(surroundings);
    const address = await listen(server, config);
    surroundings.url = address;
    // Not awaited: even if recovery fails, CVMs can be listed, stopped and removed.
    void manager
      .recover()
      .catch((error: unknown) => say('error', 'recovery stopped', { reason: String(error) }));
    return {
      listen: address,
      gateway_port: surroundings.gateway.port,
      engine: engine.kind,
      engine_note: note,
      device_id,
      kms_contract: config.kms_contract && {
        address: config.kms_contract.address,
        chain_id: config.kms_contract.chain_id,
      },
      manager,
      close: async () => {
        for (const one of [server, gateway]) {
          one.close();
          one.closeIdleConnections();
        }
        await manager.close();
        server.closeAllConnections();
        gateway.closeAllConnections();
        if ('path' in config.listen) await rm(config.listen.path, { force: true });
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function openChainKms(
  { dir, kms_contract }: TeepodConfig,
  device_id: string,
): Promise<ChainKms | undefined> {
  if (!kms_contract) return undefined;
  // viem is needed only here, and takes as long to load as the rest of this program.
  const { ChainKms } = await import('./kms/chainKms');
  return new ChainKms(await Kms.open(join(dir, 'kms-chain')), kms_contract, device_id);
}

/** There is no hardware to identify this machine, so its state directory does. */
async function deviceId(dir: string): Promise<string> {
  return createHash('sha256')
    .update(`teehouse local teepod, simulated device ${await identity(dir)}`)
    .digest('hex');
}

async function openEngine(config: TeepodConfig, store: Store): Promise<{ engine: Engine; note: string }> {
  const remembered = join(config.dir, 'engine');
  const simulate = async (note: string): Promise<{ engine: Engine; note: string }> => ({
    engine: await SimulatedEngine.open(store.root),
    note,
  });
  if (config.engine === 'simulate') {
    await writeFile(remembered, 'simulated');
    return simulate('TEEPOD_ENGINE is simulate');
  }
  // Remembered although Docker isn't found this time: it may be late again at the next start.
  const before = await readFile(remembered, 'utf8').catch(() => '');
  const patient = before === 'docker' && (await store.ids()).length > 0;
  const deadline = Date.now() + (patient || config.engine === 'docker' ? config.engine_wait_ms : 0);
  for (let isFirst = true; ; isFirst = false) {
    const found = await findDocker();
    if ('socket' in found) {
      const engine = await DockerEngine.open(
        found,
        await identity(config.dir),
        new Registries(config.registries),
      );
      await writeFile(remembered, 'docker');
      return { engine, note: '' };
    }
    if (Date.now() >= deadline) {
      if (config.engine === 'docker') throw new Error(found.reason);
      return simulate(
        patient
          ? `${found.reason}; this teepod used Docker before, so each start waits for it: ${END_WAITS}`
          : found.reason,
      );
    }
    if (isFirst)
      say('warn', 'waiting for Docker', {
        reason: found.reason,
        up_to_ms: config.engine_wait_ms,
        ...(patient && config.engine === 'auto'
          ? { note: `this teepod used Docker before: ${END_WAITS}` }
          : {}),
      });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Identifies this state directory on an engine shared with other teepods. */
async function identity(dir: string): Promise<string> {
  const path = join(dir, 'id');
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known) return known;
  const made = randomUUID();
  await writeDurable(path, made);
  return made;
}

/** Without a fixed port, reuses the last one, because users bookmark app addresses. */
async function listenGateway(gateway: Server, config: TeepodConfig): Promise<number> {
  const { host, port } = config.gateway_listen;
  const remembered = join(config.dir, 'gateway.port');
  const last = port === 0 ? Number(await readFile(remembered, 'utf8').catch(() => '0')) : 0;
  for (const attempt of last > 0 ? [last, 0] : [port]) {
    gateway.listen(attempt, host);
    try {
      await once(gateway, 'listening');
      break;
    } catch (error) {
      if (attempt !== last) throw error; // since taken by another program: any other port will do
    }
  }
  const { port: got } = gateway.address() as AddressInfo;
  await writeFile(remembered, String(got));
  return got;
}

async function listen(server: Server, config: TeepodConfig): Promise<string> {
  const { listen: where } = config;
  if (!('path' in where)) {
    server.listen(where.port, where.host);
    await once(server, 'listening');
    const { address, port, family } = server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }
  await removeStaleSocket(where.path);
  server.listen(where.path);
  await once(server, 'listening');
  await chmod(where.path, 0o600);
  return `unix:${where.path}`;
}

/** Removes a socket file left by a killed process, but not one that still answers. */
async function removeStaleSocket(path: string): Promise<void> {
  const socket = connect(path);
  const state = await new Promise<'live' | 'stale' | 'none'>((resolve) => {
    socket.once('connect', () => resolve('live'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? 'none' : 'stale'),
    );
  });
  socket.destroy();
  if (state === 'live') throw new Error(`another program is listening on ${path}`);
  if (state === 'stale') await rm(path, { force: true });
}

/**
 * One teepod per state directory, because two would start every CVM twice. Locks by a PID file checked
 * against the process table: file locks don't work on every file system.
 */
async function lock(dir: string): Promise<() => Promise<void>> {
  const path = join(dir, 'teepod.pid');
  const mine = `${process.pid} ${await startTime(process.pid)}`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(path, mine, { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await readFile(path, 'utf8').catch(() => '');
    const [pid = ''] = owner.split(' ');
    if (owner !== '' && owner === `${pid} ${await startTime(Number(pid))}`)
      throw new Error(`another teepod (process ${pid}) uses ${dir}`);
    await rm(path, { force: true });
  }
  throw new Error(`could not lock ${dir}`);
}

/** Distinguishes a reused process ID from the one that wrote the file; empty if there is no such process. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  if (process.platform === 'linux') return 'gone';
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch {
    return 'gone';
  }
}
