import { Problem } from '../core/problem';

/** A host port forwarded to a CVM. */
export interface PortMapping {
  protocol: 'tcp' | 'udp';
  host_port: number;
  vm_port: number;
}

/** A CVM's requirements on its host besides capacity. */
export interface Attachments {
  ports: readonly PortMapping[];
  /** How many GPUs. */
  gpus: number;
  /** All GPUs of the host, with its NVSwitches. */
  all_gpus: boolean;
}

export interface AttachingHost {
  teepod_name: string;
  port_mapping: boolean;
  attach_all_gpus: boolean;
  /** All reported GPUs, taken or free. */
  host_gpus: number;
}

export interface UnsupportedAttachment {
  field: 'ports' | 'gpus.attach_mode';
  /** A sentence. */
  reason: string;
}

/** Returns the attachment that the host never supports, regardless of capacity, or null. */
export function unsupportedAttachment(
  { ports, gpus, all_gpus }: Attachments,
  host: AttachingHost,
): UnsupportedAttachment | null {
  if (ports.length > 0 && !host.port_mapping)
    return {
      field: 'ports',
      reason: `${host.teepod_name} doesn't map its ports to CVMs.`,
    };
  if (!all_gpus) return null;
  const says = (reason: string): UnsupportedAttachment => ({
    field: 'gpus.attach_mode',
    reason,
  });
  if (!host.attach_all_gpus) return says(`${host.teepod_name} doesn't attach all of its GPUs to one CVM.`);
  if (host.host_gpus !== gpus)
    return says(
      `${host.teepod_name} has ${host.host_gpus === 1 ? 'one GPU' : `${host.host_gpus} GPUs`}, not ${gpus}: to attach all of them, use an instance type with the same number.`,
    );
  return null;
}

const ADVICE = {
  ports: 'Choose a host that allows it with teepod_id, or leave ports out: the gateway reaches every port.',
  'gpus.attach_mode': 'Choose a host that allows it with teepod_id, or leave gpus.attach_mode out.',
} as const;

export const attachmentProblem = ({ field, reason }: UnsupportedAttachment): Problem =>
  new Problem('INCOMPATIBLE_CONFIG', {
    message: reason,
    details: [{ field, message: reason }],
    suggestions: [ADVICE[field]],
  });

export const portName = ({ protocol, host_port }: Pick<PortMapping, 'protocol' | 'host_port'>): string =>
  `${host_port}/${protocol}`;

/** A host's report of a VM's configuration. */
interface Attached {
  ports: readonly { protocol: string; host_port: number }[];
  gpus: { attach_mode: string; gpus: readonly { slot: string }[] } | null;
}

/** Hosts may report anything; `\0` can't be stored. */
const plain = (text: string) => text.replace(/[^\w:.-]/g, '').slice(0, 32);

/** Returns the ports and GPUs a VM holds on its host, in words, or null. */
export function holdsOf({ ports, gpus }: Attached): string | null {
  const held = [
    ...ports.map(({ host_port, protocol }) => `port ${host_port}/${plain(protocol)}`),
    ...(gpus?.attach_mode === 'all'
      ? ['all GPUs']
      : (gpus?.gpus ?? []).map(({ slot }) => `GPU ${plain(slot)}`)),
  ];
  return held.length === 0 ? null : held.slice(0, 40).join(', ');
}

/** @throws INVALID_REQUEST if a host port is listed twice */
export function checkPorts(ports: readonly PortMapping[]): void {
  const seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const name = portName(port);
    if (seen.has(name))
      throw new Problem('INVALID_REQUEST', {
        message: `Host port ${name} is listed twice.`,
        details: [
          {
            field: `ports.${i}.host_port`,
            message: `Host port ${name} is listed twice.`,
          },
        ],
        suggestions: ['List each host port once per protocol.'],
      });
    seen.add(name);
  }
}

/** A host port held by another CVM or deployment. */
export interface TakenPort {
  teepod_id: number;
  protocol: 'tcp' | 'udp';
  host_port: number;
}

export function portTaken(ports: readonly PortMapping[], taken: TakenPort, teepod_name: string): Problem {
  const at = ports.findIndex((port) => portName(port) === portName(taken));
  const message = `Port ${portName(taken)} of ${teepod_name} is mapped to another CVM.`;
  return new Problem('RESOURCE_NOT_AVAILABLE', {
    message,
    details: [{ field: `ports.${at}.host_port`, message, value: taken.host_port }],
    suggestions: ['Choose another host port or another host.'],
  });
}
