import { useEffect, useRef, useState } from 'react';
import { DEFAULT_POLICY } from '../../lib/attestation/defaultPolicy';
import { parseEvidence } from '../../lib/attestation/evidenceBundle';
import { gapsOf } from '../../lib/attestation/gaps';
import { verifyInWorker } from '../../lib/attestation/inWorker';
import type { Evidence, Policy, Report } from '../../lib/attestation/types';
import verdictStyles from '../report.module.css';
import site from '../site.module.css';
import { ReportView, utc } from './ReportView';

/** Bytes. Evidence of real hosts is below 100 KB. */
const MAX_FILE = 8_388_608;

type State =
  | { step: 'empty' | 'busy' }
  | { step: 'failed'; reason: string }
  | { step: 'done'; name: string; evidence: Evidence; report: Report };

/** Reads evidence as JSON, as hex of a bare quote, or as the quote's bytes. */
async function readFile(file: File): Promise<Evidence> {
  if (file.size > MAX_FILE) throw new Error('The file is too large to be evidence: more than 8 MB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes).trim();
  if (/^(0x)?[0-9a-f]+$/i.test(text)) return { quote: text.replace(/^0x/i, '').toLowerCase() };
  // A quote starts with its version, 4 or 5, as a little-endian number.
  if ((bytes[0] === 4 || bytes[0] === 5) && bytes[1] === 0)
    return { quote: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  return parseEvidence(text);
}

async function verify(file: File): Promise<State> {
  const evidence = await readFile(file);
  // Without the app's parts only the quote can be judged.
  const scope: Policy['scope'] = evidence.event_log === undefined && !evidence.simulated ? 'quote' : 'app';
  const report = await verifyInWorker(evidence, {
    now: Math.floor(Date.now() / 1000),
    policy: { ...DEFAULT_POLICY, scope },
  });
  return { step: 'done', name: file.name, evidence, report };
}

/** Verifies a file that the visitor chooses or drops on the field. Nothing is uploaded. */
export function VerifyFile() {
  const [state, setState] = useState<State>({ step: 'empty' });
  const field = useRef<HTMLInputElement>(null);

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    setState({ step: 'busy' });
    const next = await verify(file).catch((error: unknown): State => ({
      step: 'failed',
      reason: error instanceof Error ? error.message : String(error),
    }));
    setState(next);
  }

  // A file chosen before this script had arrived raised an event that nobody heard.
  useEffect(() => void take(field.current?.files?.[0]), []);

  return (
    <>
      <form className={site.form}>
        <label>
          Evidence file or quote: choose one, or drop it here
          <input ref={field} type="file" onChange={(event) => void take(event.target.files?.[0])} />
        </label>
      </form>
      <noscript>
        <p>Verification runs in your browser and needs JavaScript.</p>
      </noscript>
      {state.step === 'busy' && (
        <div className={verdictStyles.verdict} role="status">
          <strong>Verifying…</strong>
        </div>
      )}
      {state.step === 'failed' && (
        <div className={verdictStyles.verdict} data-tone="error" role="status">
          <strong>Couldn’t read the file</strong>
          <p>{state.reason}</p>
        </div>
      )}
      {state.step === 'done' && (
        <ReportView report={state.report} gaps={gapsOf(state, state.report)}>
          {state.name}, verified in this browser at {utc(state.report.verified_at)}. No expected values were
          given, so this says what the evidence proves, not whether it is the app you expect.
        </ReportView>
      )}
    </>
  );
}
