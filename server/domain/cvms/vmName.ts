/**
 * The name of our VMs on a host. Hosts take no idempotency key and list VMs by name, so the name carries the
 * CVM's UUID: a CreateVm whose response was lost is found again, and our VMs are distinguishable from others.
 */
export const vmName = (cvm: { name: string; vm_uuid: string }) =>
  `${cvm.name}.${cvm.vm_uuid.replaceAll('-', '')}`;

/** Returns the UUID in a VM's name, with dashes; null when the VM isn't ours. */
export function uuidOfVmName(name: string): string | null {
  const hex = /\.([0-9a-f]{32})$/.exec(name)?.[1];
  return hex
    ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    : null;
}
