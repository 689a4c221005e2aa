/**
 * What our VMs are called on a host. A host gives no idempotency key and lists by name, so the name carries the
 * CVM's uuid: a CreateVm whose answer was lost is found again, and a VM of ours is told from anyone else's.
 */
export const vmName = (cvm: { name: string; vm_uuid: string }) =>
  `${cvm.name}.${cvm.vm_uuid.replaceAll('-', '')}`;

/** The uuid in a VM's name, with dashes; null when the VM is not one of ours. */
export function uuidOfVmName(name: string): string | null {
  const hex = /\.([0-9a-f]{32})$/.exec(name)?.[1];
  return hex
    ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    : null;
}
