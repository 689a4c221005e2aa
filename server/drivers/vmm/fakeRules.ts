import { isIP } from 'node:net';
import {
  RpcError as Refused,
  type PortMapping,
  type UpdateVmRequest,
  type VmConfiguration,
} from '../../teepod/wire';
import { ownValue } from '../../../console/lib/ownValue';
import { atLeast } from './capabilities';

/* dstack-vmm's refusals, as recorded from 0.6.0 and 0.5.11. */

export interface FakeRules {
  version: string;
  images: readonly string[];
}

interface Neighbor {
  id: string;
  ports: readonly PortMapping[];
}

const NAME = /^[\w .@~!$^()-]*$/;
const LAST_PORT = 20_000;

export function checkCreate(config: VmConfiguration, rules: FakeRules, others: readonly Neighbor[]): void {
  const recent = atLeast(rules.version, '0.6.0');
  if (!NAME.test(config.name)) throw new Refused(`Invalid name: ${config.name}`);
  const mode = config.gpus?.attach_mode;
  if (mode !== undefined && mode !== 'listed' && mode !== 'all')
    throw new Refused(`Invalid GPU attach mode: ${mode}`);
  for (const { protocol, host_port } of config.ports)
    if ((protocol !== 'tcp' && protocol !== 'udp') || host_port > LAST_PORT)
      throw new Refused(`Port mapping is not allowed for ${protocol}:${host_port}`);
  if (recent) {
    checkConflicts(config.ports, others);
    if (config.simulated_tee !== null)
      throw new Refused('tee simulator credentials are not configured on this VMM');
    const bridge = config.networks.find((network) => network.mode === 'bridge');
    if (bridge) throw new Refused(`bridge interface '${bridge.bridge_name}' does not exist`);
  }
  checkCompose(config.compose_file, 'Failed to load VM: Failed to read compose file');
  checkImage(config.image, rules);
}

export function checkImage(image: string, { images }: FakeRules): void {
  if (!/^[\w.-]{1,64}$/.test(image) || image.includes('..'))
    throw new Refused('Failed to load VM: Invalid image name');
  if (!images.includes(image))
    throw new Refused(
      'Failed to load VM: Failed to load image: failed to resolve image directory: No such file or directory (os error 2)',
    );
}

export function checkCompose(compose_file: string, context: string): void {
  let app: unknown;
  try {
    app = JSON.parse(compose_file);
  } catch {
    throw new Refused(`${context}: EOF while parsing an object at line 1 column 1`);
  }
  for (const field of ['manifest_version', 'name', 'runner'])
    if (ownValue(app as Record<string, unknown>, field) === undefined)
      throw new Refused(`${context}: missing field \`${field}\` at line 1 column 2`);
}

/** An update doesn't check the range, and demands the address that CreateVm may omit. */
export function checkUpdatedPorts({ update_ports, ports }: UpdateVmRequest): void {
  if (update_ports && ports.some(({ host_address }) => isIP(host_address) === 0))
    throw new Refused('Invalid host address: invalid IP address syntax');
}

/** A host without swtpm creates such a VM but can't start it. */
export function checkStart(config: VmConfiguration): void {
  if ((JSON.parse(config.compose_file) as { key_provider?: string }).key_provider === 'tpm')
    throw new Refused(
      'Failed to start VM: tpm key provider requested but swtpm is not installed: cannot find binary path',
    );
}

function checkConflicts(ports: readonly PortMapping[], others: readonly Neighbor[]): void {
  for (const { protocol, host_port, host_address } of ports)
    for (const { id, ports: taken } of others)
      if (taken.some((one) => one.protocol === protocol && one.host_port === host_port))
        throw new Refused(
          `host port mapping conflicts with VM ${id}: ${protocol} ${host_address}:${host_port}`,
        );
}

const MISSING = 'No such file or directory (os error 2)';

/** Each method has its own error text for a missing VM. */
export function unknownVm(id: string, method: string): Refused {
  const file = (name: string) => `failed to open file \`/srv/dstack/vm/${id}/${name}\`: ${MISSING}`;
  const texts: Record<string, string> = {
    StartVm: `Failed to start VM: Failed to read manifest: failed to read manifest: ${file('vm-manifest.json')}`,
    StopVm: `Failed to stop VM: Failed to set started: failed to write state: ${file('vm-state.json')}`,
    RemoveVm: 'Failed to remove VM: VM not found',
    UpdateVm: `The instance ${id} not found`,
  };
  return new Refused(ownValue(texts, method) ?? 'vm not found');
}
