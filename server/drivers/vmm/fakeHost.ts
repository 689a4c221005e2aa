import { createHash, randomUUID } from 'node:crypto';
import {
  hexBytes,
  RpcError as Refused,
  statusRequest,
  str,
  updateRequest,
  vmConfiguration,
  type UpdateVmRequest,
  type VmConfiguration,
} from '../../teepod/wire';
import { atLeast } from './capabilities';
import type { FakeOptions } from './fake';
import { fakeGuest } from './fakeGuest';
import { fakeKmsKey, fakeKmsRoot } from './fakeKms';
import { checkCompose, checkCreate, checkImage, checkStart, checkUpdatedPorts, unknownVm } from './fakeRules';
import type { VmInfo } from './index';

type Size = Pick<UpdateVmRequest, 'vcpu' | 'memory' | 'disk_size' | 'image'>;

export interface FakeVm {
  info: VmInfo;
  config: VmConfiguration;
  /** configuration of the guest's boot; an update appears after the next boot */
  booted: string;
  serial: string;
  timers: NodeJS.Timeout[];
}

const NEVER = 'never';
const GATEWAY = {
  url: 'https://127.0.0.1:18010',
  base_domain: 'gw.example.test',
  port: 443,
  agent_port: 8090,
  urls: ['https://127.0.0.1:18010'],
};
const STAGES = [
  'init-script',
  'mounting data disk',
  'requesting app keys',
  'setting up docker',
  'starting containers',
  'done',
];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** 0.5 has no interfaces, nor the configuration fields added in 0.6. */
function shownInfo(info: VmInfo, config: VmConfiguration | null, version: string) {
  const gpus = config?.gpus ?? { gpus: [], attach_mode: 'listed' };
  if (atLeast(version, '0.6.0')) return { ...info, configuration: config && { ...config, gpus } };
  const { interfaces: _, ...older } = info;
  if (config === null) return { ...older, configuration: null };
  const { networks: _n, simulated_tee: _s, ...known } = config;
  return { ...older, configuration: { ...known, gpus } };
}

/** The VMs of a fake host and its methods on them, by path. */
export function fakeHost(options: FakeOptions) {
  const vms = new Map<string, FakeVm>();
  const hidden = new Set<string>();
  const processes = new Set<string>();
  const version = options.version ?? '0.6.0';
  const stage_ms = options.stage_ms ?? 5;

  const gpus = options.gpus ?? [];
  const images = [...(options.images ?? ['dstack-0.6.0'])];
  const rules = { version, images };
  const slotsOf = ({ gpus: config }: Pick<VmConfiguration, 'gpus'>) =>
    (config?.gpus ?? []).map(({ slot }) => slot);
  /** A host doesn't compare with VMs it can't load. */
  const loaded = () => [...vms.values()].filter(({ info }) => !hidden.has(info.id));
  const takenBy = (slot: string) =>
    loaded().find(({ config }) => config.gpus?.attach_mode === 'all' || slotsOf(config).includes(slot));
  /** Stricter than dstack-vmm, which assigns one GPU to any number of VMs: here that fails the test. */
  const checkGpus = (config: Pick<VmConfiguration, 'gpus'>, own?: FakeVm) => {
    if (config.gpus?.attach_mode === 'all') {
      if (!options.allow_attach_all) throw new Refused('Attaching all GPUs is not allowed');
      const holder = gpus.map((gpu) => takenBy(gpu.slot)).find((vm) => vm !== undefined && vm !== own);
      if (holder) throw new Refused(`a GPU is used by ${holder.info.name}`);
    }
    for (const slot of slotsOf(config)) {
      if (!gpus.some((gpu) => gpu.slot === slot)) throw new Refused(`GPU not found: ${slot}`);
      const holder = takenBy(slot);
      if (holder && holder !== own) throw new Refused(`GPU ${slot} is used by ${holder.info.name}`);
    }
  };

  const vmOf = (body: Record<string, unknown>, method = ''): FakeVm => {
    const vm = vms.get(str(body, 'id'));
    if (!vm || hidden.has(vm.info.id)) throw unknownVm(str(body, 'id'), method);
    return vm;
  };
  const halt = (vm: FakeVm) => {
    for (const timer of vm.timers.splice(0)) clearTimeout(timer);
    // As on a real host, the last run's progress and uptime stay.
    if (vm.info.status === 'running') vm.info.exited_at = '0s';
    vm.info.status = 'stopped';
    vm.config.stopped = true;
  };
  const start = (vm: FakeVm) => {
    vm.config.stopped = false;
    if (vm.info.status === 'running') return void (vm.info.boot_progress = 'running');
    vm.info.boot_progress = 'booting';
    vm.info.status = 'exited';
    checkStart(vm.config);
    vm.booted = vm.config.compose_file;
    vm.serial += `===== boot @ ${new Date().toISOString()} =====\n\u001b[32mKernel\u001b[0m é ready\n`;
    Object.assign(vm.info, { status: 'running', shutdown_progress: '', exited_at: NEVER, uptime: '0s' });
    boot(vm, [...STAGES]);
  };
  /** The guest reports its instance ID early in its first boot. */
  const introduce = ({ info, config }: FakeVm) => {
    const instance_id = sha256(info.id).slice(0, 40);
    info.instance_id = instance_id;
    const body = JSON.stringify({ instance_id_seed: sha256(instance_id).slice(0, 40), instance_id });
    info.events.push({ event: 'instance.info', body, timestamp: Date.now() });
    if ((JSON.parse(config.compose_file) as { gateway_enabled?: boolean }).gateway_enabled)
      info.app_url = `https://${instance_id}-8090.${GATEWAY.base_domain}`;
  };
  /** One timer at a time: on a busy machine, timers set together may fire out of order. */
  const boot = (vm: FakeVm, [stage, ...later]: string[]) => {
    if (stage === undefined) return;
    const reached = () => {
      vm.info.boot_progress = stage;
      vm.info.events.push({ event: 'boot.progress', body: stage, timestamp: Date.now() });
      if (vm.info.instance_id === null) introduce(vm);
      boot(vm, later);
    };
    vm.timers.push(setTimeout(reached, stage_ms));
  };
  const resize = (vm: FakeVm, size: Size, is_update = false) => {
    const { vcpu, memory, disk_size, image } = size;
    const wanted = Object.entries({ vcpu, memory, disk_size, image }).filter(([, value]) => value !== null);
    if (!is_update && atLeast(version, '0.6.0')) {
      if (wanted.length === 0) throw new Refused('resize request contains no updates');
      const zero = wanted.find(([, value]) => value === 0);
      if (zero) throw new Refused(`${zero[0]} must be greater than zero`);
    }
    if (wanted.length === 0) return;
    if (vm.info.status === 'running' || vm.info.status === 'stopping')
      throw new Refused(`vm should be stopped before resize: ${vm.info.id}`);
    if (disk_size !== null && disk_size < vm.config.disk_size) throw new Refused('Cannot shrink disk size');
    // Before 0.6, the disk is made at the first start.
    if (
      disk_size !== null &&
      disk_size > vm.config.disk_size &&
      vm.booted === '' &&
      !atLeast(version, '0.6.0')
    )
      throw new Refused(
        `Failed to resize disk: qemu-img: Could not open '/srv/dstack/vm/${vm.info.id}/hda.img': No such file or directory`,
      );
    if (image !== null) checkImage(image, rules);
    Object.assign(vm.config, Object.fromEntries(wanted));
  };
  const upgrade = (body: Record<string, unknown>) => {
    const change = updateRequest(body);
    if (!/^[\w-]+$/.test(change.id) && atLeast(version, '0.6.0')) throw new Refused('invalid VM id');
    const vm = vmOf(body, 'UpdateVm');
    if (change.compose_file !== '') {
      checkCompose(change.compose_file, 'Invalid compose file');
      vm.config.compose_file = change.compose_file;
    }
    if (change.encrypted_env !== '') vm.config.encrypted_env = change.encrypted_env;
    if (change.user_config !== '') vm.config.user_config = change.user_config;
    checkUpdatedPorts(change);
    if (change.update_ports) vm.config.ports = change.ports;
    if (change.update_kms_urls) vm.config.kms_urls = change.kms_urls;
    if (change.update_gateway_urls) vm.config.gateway_urls = change.gateway_urls;
    if (change.gpus) {
      checkGpus(change, vm);
      vm.config.gpus = change.gpus;
    }
    // Last: earlier changes stay written although this one is refused.
    resize(vm, change, true);
    // Not the VM's ID, but the app ID that the new compose file would have had.
    return { id: change.compose_file === '' ? '' : sha256(change.compose_file).slice(0, 40) };
  };
  const shown = (vm: FakeVm, brief: unknown) => shownInfo(vm.info, brief ? null : vm.config, version);
  const upGuest = (body: Record<string, unknown>) => {
    const vm = vmOf(body);
    // `running` after a second StartVm, or after the host's API restarted
    if (vm.info.status !== 'running' || !['done', 'running'].includes(vm.info.boot_progress))
      throw new Refused('Failed to connect to guest agent: connection refused');
    return vm;
  };
  const envKey = (body: Record<string, unknown>) => {
    const app_id = hexBytes(body, 'app_id');
    if (app_id.length !== 40) throw new Refused('app_id must be 20 bytes');
    return fakeKmsKey(app_id);
  };
  const methods: Record<string, (body: Record<string, unknown>) => unknown> = {
    Version: () => ({ version, rev: 'fake' }),
    GetMeta: () => ({
      kms: { url: '', urls: [] },
      gateway: GATEWAY,
      resources: { max_cvm_number: 1000, max_allocable_vcpu: 20, max_allocable_memory_in_mb: 100_000 },
      ...(atLeast(version, '0.6.0')
        ? { networking: { supported_modes: ['user', 'bridge'], default_mode: 'user', default_bridge: '' } }
        : {}),
    }),
    ListImages: () => ({
      images: images.map((name) => ({
        name,
        description: '{}',
        version: /\d+\.\d+\.\d+$/.exec(name)?.[0] ?? '0.6.0',
        is_dev: name.includes('-dev-'),
      })),
    }),
    ListRegistryImages: () => ({ images: options.registry ?? [] }),
    PullRegistryImage: (body) => {
      if (!options.registry) throw new Refused('image registry is not configured');
      const tag = str(body, 'tag');
      // Inferred: the recorded hosts have no registry, and dstack.md says only that failures appear in the list.
      const found = options.registry.find((image) => image.tag === tag);
      if (found) Object.assign(found, { pulling: true, error: '' });
    },
    DeleteImage: (body) => {
      const name = str(body, 'id');
      if (!images.includes(name)) throw new Refused(`image '${name}' not found`);
      const user = [...vms.values()].find(({ config }) => config.image === name);
      if (user) throw new Refused(`cannot delete image '${name}': in use by VM '${user.config.name}'`);
      images.splice(images.indexOf(name), 1);
    },
    ListGpus: () => ({
      gpus: gpus.map((gpu) => ({ ...gpu, is_free: takenBy(gpu.slot) === undefined })),
      allow_attach_all: options.allow_attach_all ?? false,
    }),
    CreateVm: (body) => {
      const asked = vmConfiguration(body);
      const ports = asked.ports.map((port) => ({ ...port, host_address: port.host_address || '127.0.0.1' }));
      const config = { ...asked, ports };
      checkCreate(
        config,
        rules,
        loaded().map((vm) => ({ id: vm.info.id, ports: vm.config.ports })),
      );
      checkGpus(config);
      if (options.port_mapping === false && config.ports.length > 0)
        throw new Refused('Port mapping is disabled');
      const id = randomUUID();
      const { compose_file } = config;
      const info: VmInfo = {
        id,
        name: config.name,
        status: 'stopped',
        uptime: NEVER,
        app_url: null,
        app_id: config.app_id ?? sha256(compose_file).slice(0, 40),
        instance_id: null,
        configuration: null,
        exited_at: NEVER,
        boot_progress: '',
        boot_error: '',
        shutdown_progress: '',
        image_version: '0.6.0',
        events: [],
        interfaces: [],
      };
      const vm: FakeVm = {
        info,
        config: { ...config, app_id: info.app_id },
        booted: '',
        serial: '',
        timers: [],
      };
      vms.set(id, vm);
      if (!config.stopped) start(vm);
      return { id };
    },
    StartVm: (body) => start(vmOf(body, 'StartVm')),
    StopVm: (body) => halt(vmOf(body, 'StopVm')),
    ShutdownVm: (body) => {
      const vm = upGuest(body);
      vm.info.shutdown_progress = 'powering off';
      vm.info.events.push({ event: 'shutdown.progress', body: 'powering off', timestamp: Date.now() });
      vm.timers.push(setTimeout(() => halt(vm), stage_ms));
    },
    RemoveVm: (body) => {
      const vm = vmOf(body, 'RemoveVm');
      halt(vm);
      vm.info.status = 'removing';
      setTimeout(() => vms.delete(vm.info.id), stage_ms);
    },
    UpdateVm: upgrade,
    UpgradeApp: upgrade,
    ResizeVm: (body) => {
      const vm = vmOf(body, 'UpdateVm');
      resize(vm, updateRequest(body));
    },
    GetInfo: (body) => {
      const vm = vms.get(String(body.id));
      return vm && !hidden.has(vm.info.id)
        ? { found: true, info: shown(vm, false) }
        : { found: false, info: null };
    },
    Status: (body) => {
      const { ids, keyword, page, page_size, brief } = statusRequest(body);
      const found = [...vms.values()].filter(
        ({ info, config }) =>
          !hidden.has(info.id) &&
          (ids.length === 0 || ids.includes(info.id)) &&
          [info.name, info.id, info.app_id, config.image].some((text) => text.includes(keyword)),
      );
      const from = (page - 1) * page_size;
      const shownVms = page > 0 && page_size > 0 ? found.slice(from, from + page_size) : found;
      return {
        vms: shownVms.map((vm) => shown(vm, brief)),
        port_mapping_enabled: options.port_mapping ?? true,
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
          note: '{"kind":"cvm"}',
        })),
    }),
    GetComposeHash: (body) => {
      const compose_file = str(body, 'compose_file');
      checkCompose(compose_file, 'Invalid compose file');
      return { hash: sha256(compose_file) };
    },
    GetAppEnvEncryptPubKey: envKey,
    ...fakeGuest(upGuest),
    'kms/GetMeta': () => ({
      ca_cert: '',
      k256_pubkey: fakeKmsRoot.k256_pubkey,
      is_dev: true,
      chain_id: null,
    }),
    'kms/GetAppEnvEncryptPubKey': envKey,
  };
  methods['guest/Shutdown'] = methods.ShutdownVm!;
  if (!atLeast(version, '0.5.6')) delete methods.UpdateVm;

  const restart = () => {
    for (const { info } of vms.values())
      if (info.status === 'running') Object.assign(info, { boot_progress: 'running', events: [] });
  };
  return { vms, hidden, processes, methods, version, halt, restart };
}
