// Identifies the OS that booted. A runtime event is only as trustworthy as the OS that wrote it, so an app is
// never verified without a known OS image.

import { bytesToHex } from '../../bytes';
import type { Log } from '../events/eventChecks';
import { expectedMeasurements, OsError, parseVmConfig, type VmConfig } from './osLite';
import type { Quote } from '../quote';
import type { Run } from '../run';

/** Null if there is none or it can't be read (then os.image has failed). */
export function readVmConfig({ checks, evidence }: Run): VmConfig | null {
  if (evidence.vm_config === undefined) return null;
  try {
    return parseVmConfig(evidence.vm_config);
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    return checks.fail('os.image', error.message);
  }
}

const hex = (value: string): string => value.toLowerCase().replace(/^0x/, '');

const registersOf = (quote: Quote) => ({
  mrtd: bytesToHex(quote.mrtd),
  rtmr0: bytesToHex(quote.rtmrs[0]),
  rtmr1: bytesToHex(quote.rtmrs[1]),
  rtmr2: bytesToHex(quote.rtmrs[2]),
});
type Registers = ReturnType<typeof registersOf>;

function differences(quote: Registers, expected: Registers): string[] {
  const names = ['mrtd', 'rtmr0', 'rtmr1', 'rtmr2'] as const;
  return names.filter((name) => hex(quote[name]) !== hex(expected[name])).map((name) => name.toUpperCase());
}

export function checkOs(run: Run, quote: Quote | null, log: Log | null, config: VmConfig | null): void {
  const { checks } = run;
  if (!quote) {
    checks.skip(['os.image', 'os.known'], 'The evidence has no quote that measures an OS image.');
    return;
  }
  if (config?.lite && log) checkLite(run, quote, log, config);
  else checkTable(run, quote);
}

function checkLite(run: Run, quote: Quote, log: Log, config: VmConfig): void {
  const { checks, facts, policy } = run;
  let expected: ReturnType<typeof expectedMeasurements>;
  try {
    expected = expectedMeasurements(config, log.events);
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    if (error.kind === 'mismatch') checks.fail('os.image', error.message);
    else checks.skip('os.image', error.message);
    return;
  }
  facts.os_image_hash = expected.osImageHash;
  const wrong = differences(registersOf(quote), expected);
  if (wrong.length > 0) {
    checks.fail(
      'os.image',
      `OS image ${expected.osImageHash} with this VM size does not match the quote’s ${wrong.join(', ')}.`,
    );
    return;
  }
  checks.pass(
    'os.image',
    `Firmware, kernel, initial RAM disk and command line of OS image ${expected.osImageHash} match the quote’s MRTD and RTMR0 to 2. The ACPI tables in RTMR0 are taken from the host’s log.`,
    { trusted: ['quote signature'] },
  );
  // Conclusive only if the log has no boot events to replay.
  checks.pass(
    'rtmr.boot',
    'The event log omits boot events; those of the OS image replay to the quote’s RTMR0, RTMR1 and RTMR2.',
    { trusted: ['quote signature'] },
  );
  if (!policy.os_image_hashes) checks.skip('os.known', 'No list of known OS images was provided.');
  else if (policy.os_image_hashes.some((one) => hex(one) === expected.osImageHash))
    checks.pass('os.known', 'The OS image hash is on the list of known images.', {
      trusted: ['list of OS images'],
    });
  else checks.fail('os.known', `OS image ${expected.osImageHash} is not on the list of known images.`);
}

/** Images before 0.6 can't be measured here, but a table of their measurements can be compared. */
function checkTable({ checks, policy }: Run, quote: Quote): void {
  const table = policy.os_measurements;
  if (!table) {
    checks.skip(
      ['os.image', 'os.known'],
      'This OS image contains no measurement (dstack 0.6 and later images do), and no table of measurements was provided.',
    );
    return;
  }
  const registers = registersOf(quote);
  const found = table.find((row) => differences(registers, row).length === 0);
  const more = { trusted: ['table of OS measurements'] };
  if (found) {
    checks.pass('os.image', `MRTD and RTMR0 to 2 match “${found.name}” in the table.`, more);
    checks.pass('os.known', `“${found.name}” is in the table of known images.`, more);
  } else {
    checks.fail('os.image', 'MRTD and RTMR0 to 2 match no image in the table.', more);
  }
}
