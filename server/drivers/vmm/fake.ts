import { createHash, randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { atLeast } from './capabilities';
import { fakeKmsKey, fakeKmsRoot } from './fakeKms';
import type { VmInfo } from './index';
import { ownValue } from '../../../console/lib/ownValue';

export interface FakeOptions {
  version?: string;
  token?: string;
  /** listen here instead of on a loopback port */
  socketPath?: string;
  tls?: { key: string; cert: string };
  /** milliseconds between two boot stages */
  stage_ms?: number;
  gpus?: FakeGpu[];
}

export interface FakeGpu {
  slot: string;
  product_id: string;
  description: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => unknown;

export interface FakeVmm {
  url: string;
  /** The same host at an address of its own, as behind a proxy: one address can't belong to two teepods. */
  at(name: string): string;
  /** requested paths, in order, with query */
  requests: string[];
  /** bodies of the same requests */
  bodies: Record<string, unknown>[];
  /** IDs of VMs that the host can't load: it neither lists nor knows them */
  hidden: Set<string>;
  /** IDs whose process the supervisor runs although the host doesn't list them */
  processes: Set<string>;
  /** the host's API restarts under its running VMs, which forget their events */
  restart(): void;
  /** handles a path itself from now on, unless it returns `pass` */
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
}

interface FakeVm {
  info: VmInfo;
  config: Record<string, unknown>;
  /** what the guest booted with; an update appears after the next boot */
  booted: string;
  serial: string;
  timers: NodeJS.Timeout[];
}

const ALIAS = /^\/at\/[^/]+/;

/** Method names of the three services, by the path they are called on. */
const PREFIXES = { prpc: '', guest: 'guest/', 'kms/prpc': 'kms/' };

const STAGES = [
  'init-script',
  'mounting data disk',
  'requesting app keys',
  'setting up docker',
  'starting containers',
  'done',
];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

class Refused extends Error {}

/**
 * A host for tests: dstack-vmm's JSON mode with its life cycle and quirks, over http, https or a Unix socket. It
 * holds VMs in memory and boots them in milliseconds; nothing runs.
 */
export async function startFakeVmm(options: FakeOptions = {}): Promise<FakeVmm> {
  const vms = new Map<string, FakeVm>();
  const hidden = new Set<string>();
  const processes = new Set<string>();
  const answers = new Map<string, Answer>();
  const requests: string[] = [];
  const bodies: Record<string, unknown>[] = [];
  const version = options.version ?? '0.6.0';
  const stage_ms = options.stage_ms ?? 5;

  const gpus = options.gpus ?? [];
  const slotsOf = (config: Record<string, unknown>) =>
    ((config.gpus as { gpus?: { slot: string }[] } | undefined)?.gpus ?? []).map(({ slot }) => slot);
  const takenBy = (slot: string) => [...vms.values()].find(({ config }) => slotsOf(config).includes(slot));
  /** Stricter than dstack-vmm, which assigns one GPU to any number of VMs: here that fails the test. */
  const checkGpus = (config: Record<string, unknown>, own?: FakeVm) => {
    for (const slot of slotsOf(config)) {
      if (!gpus.some((gpu) => gpu.slot === slot)) throw new Refused(`GPU not found: ${slot}`);
      const holder = takenBy(slot);
      if (holder && holder !== own) throw new Refused(`GPU ${slot} is used by ${holder.info.name}`);
    }
  };

  const vmOf = (body: Record<string, unknown>): FakeVm => {
    const vm = vms.get(String(body.id));
    if (!vm || hidden.has(vm.info.id)) throw new Refused('VM not found');
    return vm;
  };
  const halt = (vm: FakeVm) => {
    for (const timer of vm.timers.splice(0)) clearTimeout(timer);
    Object.assign(vm.info, { status: 'stopped', boot_progress: '', uptime: '0s' });
  };
  const start = (vm: FakeVm) => {
    if (vm.info.status === 'running') return;
    vm.booted = String(vm.config.compose_file);
    vm.serial += `===== boot @ ${new Date().toISOString()} =====\n\u001b[32mKernel\u001b[0m é ready\n`;
    Object.assign(vm.info, { status: 'running', boot_progress: 'booting', shutdown_progress: '' });
    vm.info.instance_id ??= sha256(vm.info.id).slice(0, 40);
    boot(vm, [...STAGES]);
  };
  /** One timer at a time: on a busy machine, timers set together may fire out of order. */
  const boot = (vm: FakeVm, [stage, ...later]: string[]) => {
    if (stage === undefined) return;
    const reached = () => {
      vm.info.boot_progress = stage;
      vm.info.events.push({ event: 'boot.progress', body: stage, timestamp: Date.now() });
      boot(vm, later);
    };
    vm.timers.push(setTimeout(reached, stage_ms));
  };
  const resize = (vm: FakeVm, body: Record<string, unknown>) => {
    const wanted = ['vcpu', 'memory', 'disk_size', 'image'].filter((k) => ownValue(body, k) !== undefined);
    if (wanted.length === 0) return;
    if (vm.info.status !== 'stopped') throw new Refused(`vm should be stopped before resize: ${vm.info.id}`);
    if (Number(body.disk_size ?? Infinity) < Number(vm.config.disk_size))
      throw new Refused('Cannot shrink disk size');
    for (const k of wanted) vm.config[k] = ownValue(body, k);
  };
  const upgrade = (body: Record<string, unknown>) => {
    const vm = vmOf(body);
    for (const k of ['compose_file', 'encrypted_env', 'user_config'])
      if (ownValue(body, k)) vm.config[k] = ownValue(body, k);
    if (body.update_ports) vm.config.ports = body.ports;
    // Not the VM's ID: the app ID that the new compose file would have had.
    return { id: body.compose_file ? sha256(String(body.compose_file)).slice(0, 40) : '' };
  };
  const shown = (vm: FakeVm, brief: unknown) => ({ ...vm.info, configuration: brief ? null : vm.config });
  const upGuest = (body: Record<string, unknown>) => {
    const vm = vmOf(body);
    if (vm.info.boot_progress !== 'done')
      throw new Refused('Failed to connect to guest agent: connection refused');
    return vm;
  };
  const methods: Record<string, (body: Record<string, unknown>) => unknown> = {
    Version: () => ({ version, rev: 'fake' }),
    GetMeta: () => ({
      kms: { url: '', urls: [] },
      gateway: null,
      resources: { max_cvm_number: 1000, max_allocable_vcpu: 20, max_allocable_memory_in_mb: 100_000 },
    }),
    ListImages: () => ({
      images: [{ name: 'dstack-0.6.0', description: '{}', version: '0.6.0', is_dev: false }],
    }),
    ListGpus: () => ({
      gpus: gpus.map((gpu) => ({ ...gpu, is_free: takenBy(gpu.slot) === undefined })),
      allow_attach_all: false,
    }),
    CreateVm: (body) => {
      if (!/^[\w .@~!$^()-]+$/.test(String(body.name)))
        throw new Refused(`Invalid name: ${String(body.name)}`);
      try {
        JSON.parse(String(body.compose_file));
      } catch {
        throw new Refused('Invalid compose file: expected value at line 1 column 1');
      }
      checkGpus(body);
      const id = randomUUID();
      const compose_file = String(body.compose_file);
      const info: VmInfo = {
        id,
        name: String(body.name),
        status: 'stopped',
        uptime: '0s',
        app_url: null,
        app_id: String(body.app_id ?? sha256(compose_file).slice(0, 40)),
        instance_id: null,
        configuration: null,
        exited_at: null,
        boot_progress: '',
        boot_error: '',
        shutdown_progress: '',
        image_version: '0.6.0',
        events: [],
        interfaces: [],
      };
      const vm: FakeVm = { info, config: { ...body, compose_file }, booted: '', serial: '', timers: [] };
      vms.set(id, vm);
      if (!body.stopped) start(vm);
      return { id };
    },
    StartVm: (body) => start(vmOf(body)),
    StopVm: (body) => halt(vmOf(body)),
    ShutdownVm: (body) => {
      const vm = upGuest(body);
      vm.info.shutdown_progress = 'powering off';
      vm.timers.push(setTimeout(() => halt(vm), stage_ms));
    },
    RemoveVm: (body) => {
      const vm = vms.get(String(body.id));
      if (!vm) return;
      halt(vm);
      vm.info.status = 'removing';
      setTimeout(() => vms.delete(vm.info.id), stage_ms);
    },
    UpdateVm: (body) => {
      const vm = vmOf(body);
      if (body.gpus) {
        checkGpus(body, vm);
        vm.config.gpus = body.gpus;
      }
      resize(vm, body);
      return upgrade(body);
    },
    UpgradeApp: upgrade,
    ResizeVm: (body) => resize(vmOf(body), body),
    GetInfo: (body) => {
      const vm = vms.get(String(body.id));
      return vm && !hidden.has(vm.info.id)
        ? { found: true, info: shown(vm, false) }
        : { found: false, info: null };
    },
    Status: (body) => {
      const ids = body.ids as string[];
      const keyword = String(body.keyword);
      const found = [...vms.values()].filter(
        ({ info, config }) =>
          !hidden.has(info.id) &&
          (ids.length === 0 || ids.includes(info.id)) &&
          [info.name, info.id, info.app_id, String(config.image)].some((text) => text.includes(keyword)),
      );
      const size = Number(body.page_size);
      const from = (Number(body.page) - 1) * size;
      const page = Number(body.page) > 0 ? found.slice(from, from + size) : found;
      return {
        vms: page.map((vm) => shown(vm, body.brief)),
        port_mapping_enabled: true,
        total: found.length,
      };
    },
    ReloadVms: () => ({ loaded: 0, updated: vms.size - hidden.size, removed: 0 }),
    SvList: () => ({
      processes: [...vms.values()]
        .filter(({ info }) => (hidden.has(info.id) ? processes.has(info.id) : info.status === 'running'))
        .map(({ info: { id, name } }) => ({
          id,
          name,
          status: 'running',
          pid: 1,
          command: 'qemu',
          note: '',
        })),
    }),
    GetComposeHash: (body) => ({ hash: sha256(String(body.compose_file)) }),
    GetAppEnvEncryptPubKey: (body) => fakeKmsKey(String(body.app_id)),
    'guest/Info': (body) => {
      const { info, booted } = upGuest(body);
      const tcb_info = JSON.stringify({ compose_hash: sha256(booted), app_compose: booted });
      return { version: '0.6.0', app_id: info.app_id, instance_id: info.instance_id, app_cert: '', tcb_info };
    },
    'guest/SysInfo': (body) => {
      const vm = upGuest(body);
      return {
        os_name: 'fake',
        num_cpus: vm.config.vcpu,
        total_memory: Number(vm.config.memory) * 1048576,
        disks: [],
      };
    },
    'guest/NetworkInfo': (body) => (upGuest(body), { interfaces: [{ name: 'eth0', addresses: [] }] }),
    'guest/ListContainers': (body) => (
      upGuest(body),
      {
        containers: [
          { id: 'c1', names: ['/web'], image: 'busybox', created: 1, state: 'running', status: 'Up' },
        ],
      }
    ),
    'kms/GetMeta': () => ({
      ca_cert: '',
      k256_pubkey: fakeKmsRoot.k256_pubkey,
      is_dev: true,
      chain_id: null,
    }),
    'kms/GetAppEnvEncryptPubKey': (body) => fakeKmsKey(String(body.app_id)),
  };
  methods['guest/Shutdown'] = methods.ShutdownVm!;
  if (!atLeast(version, '0.5.6')) delete methods.UpdateVm;

  const logs = (query: URLSearchParams, response: ServerResponse) => {
    const vm = vms.get(query.get('id') ?? '');
    if (!vm) return response.writeHead(404).end('VM not found');
    const channel = query.get('ch');
    if (!['serial', 'stdout', 'stderr'].includes(channel ?? ''))
      return response.writeHead(400).end('Unknown channel');
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    let text = channel === 'serial' ? vm.serial : '';
    const lines = Number(query.get('lines') ?? 10_000);
    text = text
      .split(/(?<=\n)/)
      .slice(-lines)
      .join('');
    // eslint-disable-next-line no-control-regex
    if (query.get('ansi') !== 'true') text = text.replace(/\u001b\[\d+m/g, '');
    if (query.get('follow') !== 'true') return response.end(text);
    return response.write(`${text}[vmm heartbeat]\n`);
  };
  const agent = (path: string, query: URLSearchParams, response: ServerResponse) => {
    const [, instance, container] = /^\/agent\/([^/]+)\/logs\/([^/]+)$/.exec(path) ?? [];
    const vm = [...vms.values()].find(({ info }) => info.instance_id === instance);
    if (!vm || container !== 'web') return response.writeHead(404).end('No such container');
    const message = query.has('text') ? 'hello\n' : Buffer.from('hello\n').toString('base64');
    const line = query.has('bare') ? 'hello\n' : `${JSON.stringify({ channel: 'stdout', message })}\n`;
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    return query.has('follow') ? response.write(line) : response.end(line);
  };

  const handle = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => {
    const address = (request.url ?? '/').replace(ALIAS, '');
    const url = new URL(address, 'http://fake');
    requests.push(address);
    bodies.push(body);
    const own = answers.get(url.pathname);
    if (own && own(request, response, body) !== 'pass') return;
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`)
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="dstack-vmm API"' }).end();
    if (url.pathname === '/logs') return logs(url.searchParams, response);
    if (url.pathname.startsWith('/agent/')) return agent(url.pathname, url.searchParams, response);
    const [, area, name] = /^\/(prpc|guest|kms\/prpc)\/(\w+)$/.exec(url.pathname) ?? [];
    if (name === undefined) return response.writeHead(404).end();
    const method = ownValue(methods, `${ownValue(PREFIXES, area!) ?? ''}${name}`);
    const reply = (status: number, value: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-app-version': version })
        .end(JSON.stringify(value));
    if (!method) return reply(400, { error: `Service not found: ${name}` });
    try {
      return reply(200, method(body) ?? null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return reply(400, { error: error.message });
    }
  };

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      handle(request, response, text === '' ? {} : (JSON.parse(text) as Record<string, unknown>));
    });
  };
  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (options.socketPath !== undefined) server.listen(options.socketPath, resolve);
    else server.listen(0, '127.0.0.1', resolve);
  });
  const scheme = options.tls ? 'https' : 'http';
  const url =
    options.socketPath === undefined
      ? `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
      : `unix:${options.socketPath}`;
  return {
    url,
    at: (name) => `${url}${options.socketPath === undefined ? '' : ':'}/at/${name}`,
    requests,
    bodies,
    hidden,
    processes,
    restart() {
      for (const { info } of vms.values())
        if (info.status === 'running') Object.assign(info, { boot_progress: 'running', events: [] });
    },
    on: (path, answer) => answers.set(path, answer),
    async close() {
      for (const vm of vms.values()) halt(vm);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
