import { useEffect, useRef, useState } from 'react';
import { gapsOf } from '../../lib/attestation/gaps';
import verdictStyles from '../report.module.css';
import site from '../site.module.css';
import { ReportView, utc } from './ReportView';
import { verifyFiles, type VerifiedFile } from './verifyFiles';

type State =
  | { step: 'empty' | 'busy' }
  | { step: 'failed'; reason: string }
  | ({ step: 'done' } & VerifiedFile);

async function verify(file: File, policy: File | undefined): Promise<State> {
  try {
    return { step: 'done', ...(await verifyFiles(file, policy)) };
  } catch (error) {
    return { step: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Verifies files that the visitor selects or drops on the fields. Nothing is uploaded. */
export function VerifyFile() {
  const [state, setState] = useState<State>({ step: 'empty' });
  const [hasPolicy, setHasPolicy] = useState(false);
  const evidence = useRef<HTMLInputElement>(null);
  const policy = useRef<HTMLInputElement>(null);
  /** Counts the selections, because an earlier one's result may arrive last. */
  const latest = useRef(0);

  async function take(): Promise<void> {
    const file = evidence.current?.files?.[0];
    const expected = policy.current?.files?.[0];
    setHasPolicy(expected !== undefined);
    if (!file) return;
    const choice = ++latest.current;
    setState({ step: 'busy' });
    const next = await verify(file, expected);
    if (choice === latest.current) setState(next);
  }

  function removePolicy(): void {
    if (policy.current) {
      policy.current.value = '';
      // The button disappears.
      policy.current.focus();
    }
    void take();
  }

  // The change event of a file selected before this script loaded was missed.
  useEffect(() => void take(), []);

  return (
    <>
      <form className={`${site.form} ${site.scripted}`}>
        <label>
          Evidence file or quote: choose one, or drop it here
          <input ref={evidence} type="file" onChange={() => void take()} />
        </label>
        <label>
          Policy file, optional: the values to compare with
          <input ref={policy} type="file" onChange={() => void take()} />
        </label>
        {hasPolicy && (
          <button type="button" className={`${site.quiet} ${site.small}`} onClick={removePolicy}>
            Remove policy file
          </button>
        )}
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
          <strong>Couldn’t verify the evidence</strong>
          <p>{state.reason}</p>
        </div>
      )}
      {state.step === 'done' && state.policy_fault !== null && (
        <div className={verdictStyles.verdict} data-tone="error" role="alert">
          <strong>Couldn’t use the policy</strong>
          <p>{state.policy_fault}</p>
          <p>The evidence was verified without it.</p>
        </div>
      )}
      {state.step === 'done' && (
        <ReportView report={state.report} gaps={gapsOf(state, state.report, { expected_by: 'caller' })}>
          {state.name}, verified in this browser at {utc(state.report.verified_at)}.{' '}
          {state.policy_name === null
            ? 'No expected values were provided, so this shows what the evidence proves, not whether it’s the app you expect.'
            : `It was compared with the values in ${state.policy_name}.`}
        </ReportView>
      )}
    </>
  );
}
