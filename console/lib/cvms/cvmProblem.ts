import type { Cvm, OperationError } from '../../../generated/api/types.gen';
import { lastMeaningfulLine } from '../logs/lastLine';
import { ownValue } from '../ownValue';
import type { CvmTab } from '../paths';
import { showOperationText } from '../texts/operationTexts';

/** Returns the address of a page of the CVM. */
type CvmLink = (tab?: CvmTab, search?: Readonly<Record<string, string>>) => string;

type Failed = Pick<Cvm, 'name' | 'status' | 'status_reason' | 'status_reason_keys' | 'boot_error'>;

/** Actions on the KMS tab, by the reason why a CVM got no keys. */
const ALLOW: Readonly<Record<string, string>> = {
  keys_refused_hash: 'Allow this hash',
  keys_refused_device: 'Allow this device',
  keys_refused: 'Open the contract',
  no_keys: 'Open the KMS tab',
};

/** Describes why a CVM in error isn't running. The output of a failed boot appears only here. */
export function cvmProblem(cvm: Failed, link: CvmLink) {
  const { name, status, status_reason, status_reason_keys, boot_error } = cvm;
  const events = { label: 'View the failed operation', href: link('events') };
  const serial = { label: 'Open the serial console', href: link('logs', { source: 'serial' }) };
  const compose = { label: 'Edit the Compose file or secrets', href: link('compose') };
  const allow = status_reason_keys.map(({ id }) => ownValue(ALLOW, id)).find((label) => label !== undefined);
  if (allow !== undefined)
    return {
      title: `${name} got no keys`,
      message: showOperationText(status_reason_keys, status_reason) ?? '',
      ...(boot_error === null ? {} : { log: { line: '', whole: boot_error } }),
      suggestions: [{ label: allow, href: link('kms') }, events, serial],
    };
  if (boot_error !== null && (status_reason === null || status_reason.includes(boot_error.slice(0, 100)))) {
    const others = status_reason_keys.filter(({ id }) => id !== 'boot_error' && id !== 'lost_boot_error');
    const advice = others.length > 0 && status_reason !== null ? (showOperationText(others, '') ?? '') : '';
    return {
      title: `${name} failed to boot`,
      message: advice,
      log: { line: lastMeaningfulLine(boot_error), whole: boot_error },
      // The server's advice, if any, says what to do.
      suggestions: [
        ...(advice === '' ? ['Fix the cause, then update or start it again.'] : []),
        serial,
        compose,
        events,
      ],
    };
  }
  if (status === 'lost')
    return {
      title: `${name} is lost`,
      message: showOperationText(status_reason_keys, status_reason) ?? 'Its host doesn’t list its VM.',
      suggestions: [events],
    };
  return {
    title: `${name} isn’t running`,
    message: showOperationText(status_reason_keys, status_reason) ?? 'The host gave no reason.',
    suggestions: [serial, events, compose],
  };
}

/** Whether the page's error box already shows why the operation failed. */
export const isShownAsProblem = (
  { status, status_reason }: Pick<Cvm, 'status' | 'status_reason'>,
  { error }: { error: Pick<OperationError, 'message'> | null },
): boolean =>
  status === 'error' &&
  status_reason !== null &&
  error !== null &&
  (status_reason.includes(error.message) || error.message.includes(status_reason));
