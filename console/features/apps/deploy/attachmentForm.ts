// Host resources of a deployment besides capacity, as typed. Pure.

import type { ProvisionCvm } from '../../../../generated/api/types.gen';

export interface AttachmentForm {
  /** Host ports and the CVM ports they forward to, as `8080:80, 5353:53/udp`; empty for none. */
  host_ports: string;
  /** Whether to attach all of the host's GPUs. */
  all_gpus: boolean;
}

export const emptyAttachmentForm: AttachmentForm = {
  host_ports: '',
  all_gpus: false,
};

type PortMapping = NonNullable<ProvisionCvm['ports']>[number];

/**
 * Builds the request fields. Leaves out invalid text, which `checkAttachmentForm` reports before anything is sent.
 */
export function toAttachments(form: AttachmentForm): Pick<ProvisionCvm, 'ports' | 'gpus'> {
  const ports = mappingsOf(form.host_ports);
  return {
    ...(ports && ports.length > 0 ? { ports } : {}),
    ...(form.all_gpus ? { gpus: { attach_mode: 'all' as const } } : {}),
  };
}

const MAX_PORTS = 20;

export function checkAttachmentForm(form: AttachmentForm): Partial<Record<keyof AttachmentForm, string>> {
  const ports = mappingsOf(form.host_ports);
  if (ports === null)
    return {
      host_ports: 'Separate different host ports with commas, such as 8080:80, 5353:53/udp.',
    };
  if (ports.length > MAX_PORTS) return { host_ports: `Enter at most ${MAX_PORTS} ports.` };
  return {};
}

/** Null if the text isn't a list of mappings. */
function mappingsOf(text: string): PortMapping[] | null {
  const ports: PortMapping[] = [];
  for (const part of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, host = '', vm = '', protocol] = /^(\d{1,5}):(\d{1,5})(?:\/(tcp|udp))?$/.exec(part) ?? [];
    const port: PortMapping = {
      protocol: protocol === 'udp' ? 'udp' : 'tcp',
      host_port: Number(host),
      vm_port: Number(vm),
    };
    const isPort = (number: number) => number >= 1 && number <= 65_535;
    const repeated = ports.some((one) => one.host_port === port.host_port && one.protocol === port.protocol);
    if (!isPort(port.host_port) || !isPort(port.vm_port) || repeated) return null;
    ports.push(port);
  }
  return ports;
}
