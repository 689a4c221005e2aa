import { DEFAULT_POLICY } from '../../lib/attestation/defaultPolicy';
import { parseEvidence } from '../../lib/attestation/evidenceBundle';
import { verifyInWorker } from '../../lib/attestation/inWorker';
import { parsePolicy, policyOfFile } from '../../lib/attestation/policyFile';
import type { Evidence, Policy, Report } from '../../lib/attestation/types';

/** Bytes. Evidence from real hosts is below 100 KB. */
const MAX_FILE = 8_388_608;

/** Reads evidence as JSON, as hex of a bare quote, or as the quote's bytes. */
async function readEvidence(file: File): Promise<Evidence> {
  if (file.size > MAX_FILE) throw new Error('The file is too large to be evidence: more than 8 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes).trim();
  if (/^(0x)?[0-9a-f]+$/i.test(text)) return { quote: text.replace(/^0x/i, '').toLowerCase() };
  // A quote starts with its version, 4 or 5, as a little-endian number.
  if ((bytes[0] === 4 || bytes[0] === 5) && bytes[1] === 0)
    return { quote: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  return parseEvidence(text);
}

async function readPolicy(file: File): Promise<Policy> {
  if (file.size > MAX_FILE) throw new Error('The file is too large to be a policy: more than 8 MB.');
  const given = parsePolicy(await file.text());
  // A scope alone sets how much is checked, but no expected values.
  if (Object.keys(given).every((key) => key === 'scope'))
    throw new Error('It is empty: it has no values to compare with.');
  return policyOfFile(given);
}

/** Without the app's parts, only the quote can be checked. */
const policyFor = ({ event_log, simulated }: Evidence): Policy => ({
  ...DEFAULT_POLICY,
  scope: event_log === undefined && !simulated ? 'quote' : 'app',
});

export interface VerifiedFile {
  name: string;
  /** Name of the policy file whose expected values were compared; null without one. */
  policy_name: string | null;
  /**
   * Why the policy file can't be read, with its name; the evidence was then verified without it. Null if it can, or
   * there is none.
   */
  policy_fault: string | null;
  evidence: Evidence;
  report: Report;
}

/** Adds the file's name to its error. */
async function named<T>(file: File, read: (file: File) => Promise<T>): Promise<T> {
  try {
    return await read(file);
  } catch (error) {
    throw new Error(`${file.name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/**
 * Verifies an evidence file, against the expected values of a policy file if there is a readable one.
 * @throws if the evidence can't be read
 */
export async function verifyFiles(file: File, policy_file: File | undefined): Promise<VerifiedFile> {
  const evidence = await named(file, readEvidence);
  const given = policy_file
    ? await named(policy_file, readPolicy).catch((error: unknown) => error as Error)
    : null;
  const isRead = given !== null && !(given instanceof Error);
  const now = Math.floor(Date.now() / 1000);
  const report = await verifyInWorker(evidence, { now, policy: isRead ? given : policyFor(evidence) });
  return {
    name: file.name,
    policy_name: isRead ? (policy_file?.name ?? null) : null,
    policy_fault: given instanceof Error ? given.message : null,
    evidence,
    report,
  };
}
