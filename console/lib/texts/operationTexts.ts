import type { TextKey } from '../../../generated/api/types.gen';
import { readerOf, writerOf } from './text';

export type Phase = NonNullable<TextKey['params']['phase']>;

const PHASES: Readonly<Record<Phase, string>> = {
  operation: 'The operation',
  create: 'Creating the VM',
  boot: 'Booting',
  stop: 'Stopping the VM',
  remove: 'Removing the VM',
  undo: 'Canceling',
  contract: 'Checking the app’s contract',
};

/** Messages of operation steps, reasons why operations fail, and reasons why CVMs are in an error state. */
export const OPERATION_TEXTS = {
  no_vm: () => 'There was no VM.',
  already_stopped: () => 'It was already stopped.',
  stop_forced: () => 'Forced to stop because the guest didn’t respond.',
  old_host_silent: () => 'The old host isn’t responding. Its VM is removed when it responds again.',
  step_canceled: () => 'Canceled.',

  vm_gone: () => 'The VM is no longer on its host.',
  vm_not_listed: () => 'The host doesn’t list this CVM’s VM. Nothing was created in its place.',
  no_disk_yet: () => 'This host can’t resize a VM before its first boot.',
  half_written: ({ text }: { text: string }) =>
    `Part of the change was already written and couldn’t be undone: ${text} It is undone before the next boot.`,
  old_vm_gone: () => 'The VM is no longer on the old host.',
  new_host_failed: () => 'The CVM didn’t start on the new host.',
  contract_refused: ({ text }: { text: string }) =>
    `The app’s contract refused it: ${text}. Nothing was changed.`,
  revision_failed: () => 'The new revision didn’t boot.',
  boot_error: ({ text }: { text: string }) => `Boot error: ${text}`,
  no_keys: () => 'The CVM got no keys from the KMS. See its boot messages for the reason.',
  keys_refused_hash: () => 'The app’s contract doesn’t allow the compose hash, so the CVM got no keys.',
  keys_refused_device: () => 'The app’s contract doesn’t allow the host’s device, so the CVM got no keys.',
  keys_refused: ({ text }: { text: string }) => `The contract refused the app’s keys: ${text}.`,
  boot_ended: () => 'The VM exited while booting.',
  boot_ended_at: ({ text }: { text: string }) => `The VM exited while booting (“${text}”).`,
  host_refused: ({ text }: { text: string }) => `The host rejected the request: ${text}`,
  host_error: ({ text }: { text: string }) => text,
  host_said: ({ text }: { text: string }) => `The host reported: ${text}`,
  host_unexpected: () => 'The host returned an unexpected response.',
  host_silent: ({ host }: { host: string }) => `The host ${host} didn’t respond before the deadline.`,
  deadline_passed: ({ phase }: { phase: Phase }) => `${PHASES[phase]} didn’t finish before the deadline.`,
  took_too_long: ({ phase, seconds }: { phase: Phase; seconds: number }) =>
    `${PHASES[phase]} took longer than ${seconds} s.`,
  internal_error: () => 'Internal control plane error.',

  previous_revision_runs: () => 'The previous revision is running again.',
  size_kept: () => 'The CVM keeps its size.',
  previous_size_runs: () => 'The CVM is running again with its previous size.',
  old_host_runs: () => 'The CVM is running on its old host again.',

  error_before: () => 'It was already in an error state, and the operation meant to fix it was canceled.',
  lost_boot_error: ({ text }: { text: string }) => `Not running. Boot error: ${text}`,
  lost_status: ({ status }: { status: string }) => `Not running: the host reports it as ${status}.`,
  lost_vm: () => 'Not running: its VM is no longer on the host.',
  lost_not_listed: ({ host }: { host: string }) =>
    `The host ${host} responds but doesn’t list this CVM’s VM. Its disk may still be there, so nothing is created in its place.`,
  lost_reload_refused: ({ text }: { text: string }) =>
    `When asked to reload its VMs, the host reported: ${text}`,
  lost_other_vms: ({ count }: { count: number }) =>
    `It lists ${count === 1 ? 'another VM' : `${count} other VMs`} of this CVM, which an administrator can inspect.`,
  restarts_failed: ({ count }: { count: number }) =>
    `Restarted ${count === 1 ? 'once' : `${count} times`} in the last hour without success.`,

  advice_recreate: () => 'Start it again to recreate it.',
  advice_vm_not_listed: () =>
    'It recovers automatically when the host lists the VM again, and costs nothing until then. If the disk is lost, give it up to start with an empty one.',
  advice_compose: () => 'Check the serial log, correct the Compose file, then update or start it again.',
  advice_allow_hash: () => 'Allow this compose hash on the contract, then start it again.',
  advice_allow_device: () => 'Allow this device on the contract, then start it again.',
  advice_contract: () => 'Check the contract on the CVM’s KMS tab, then start it again.',
  advice_keys: () =>
    'Check on the CVM’s KMS tab whether the KMS and the network of the app’s contract respond. If they do, send the report to the operators; otherwise, start the CVM once they respond.',
  advice_logs: () => 'Check the serial and stderr logs.',
  advice_start_first: () => 'Start the CVM once, then resize it.',
  advice_fix: () => 'Fix the reported problem and try again.',
  advice_retry: () => 'Try again. If it happens again, contact support with the correlation ID.',
  advice_start: () => 'Check the serial log, then start it again.',
} as const;

/** Writes a text; used by the server. */
export const operationText = writerOf(OPERATION_TEXTS);
/** Renders a text received from the server. */
export const showOperationText = readerOf(OPERATION_TEXTS);
