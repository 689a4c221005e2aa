import { useEffect, useEffectEvent, useState } from 'react';
import type { PublicCvm, PublicEvidence } from '../../../generated/api/types.gen';
import { attestCommand, evidenceOf } from '../../lib/attestation/answer';
import { evidenceBundle } from '../../lib/attestation/evidenceBundle';
import { gapsOf } from '../../lib/attestation/gaps';
import { policyFile } from '../../lib/attestation/policyFile';
import { saveFile } from '../../ui/controls/saveFile';
import verdictStyles from '../report.module.css';
import site from '../site.module.css';
import { ReportView, utc } from './ReportView';
import { evidencePath, verifyApp, type Verification } from './appVerification';
import type { WidgetResult } from './widgetMessage';

type State = { step: 'verifying' } | Verification;

interface VerifyAppProps {
  appId: string;
  cvms: PublicCvm[];
  /** Called after each attempt, with a report or the reason why there is none. */
  onResult?: (vm_uuid: string, result: WidgetResult) => void;
}

/** Fetches the evidence of one of the app's CVMs and verifies it in the visitor's browser. */
export function VerifyApp({ appId, cvms, onResult }: VerifyAppProps) {
  const [vmUuid, setVmUuid] = useState(cvms[0]?.vm_uuid ?? '');
  const [state, setState] = useState<State>({ step: 'verifying' });

  /** Counts the visitor's requests. */
  const [attempt, setAttempt] = useState(0);

  const onDone = useEffectEvent((next: State) => {
    if (next.step === 'done')
      onResult?.(vmUuid, { report: next.verified.report, is_current: next.answer.source === 'guest' });
    if (next.step === 'failed') onResult?.(vmUuid, { reason: next.reason });
  });

  useEffect(() => {
    let isCurrent = true;
    async function run(): Promise<void> {
      const next = await verifyApp(appId, vmUuid);
      if (!isCurrent) return;
      setState(next);
      onDone(next);
    }
    void run();
    return () => {
      isCurrent = false;
    };
  }, [appId, vmUuid, attempt]);

  const verifyAgain = () => {
    setState({ step: 'verifying' });
    setAttempt((count) => count + 1);
  };
  const choose = (uuid: string) => {
    setState({ step: 'verifying' });
    setVmUuid(uuid);
  };

  return (
    <>
      {cvms.length > 1 && (
        <form className={`${site.form} ${site.scripted}`}>
          <label>
            CVM
            <select value={vmUuid} onChange={(event) => choose(event.target.value)}>
              {cvms.map((cvm) => (
                <option key={cvm.vm_uuid} value={cvm.vm_uuid}>
                  {cvm.name}
                </option>
              ))}
            </select>
          </label>
        </form>
      )}
      <noscript>
        <p>
          Verification runs in your browser and needs JavaScript. Or download the evidence, which{' '}
          <code>teehouse attest</code> verifies offline:
        </p>
        <ul>
          {cvms.map(({ vm_uuid, name }) => (
            <li key={vm_uuid}>
              <a href={evidencePath(appId, vm_uuid)} download={`${name}.evidence.json`}>
                Evidence of {name}
              </a>
            </li>
          ))}
        </ul>
      </noscript>
      {state.step === 'done' ? (
        <Result state={state} onAgain={verifyAgain} />
      ) : (
        <div
          className={`${verdictStyles.verdict} ${site.scripted}`}
          data-tone={state.step === 'failed' ? 'error' : 'neutral'}
          data-progress={state.step === 'verifying' || undefined}
          role="status"
        >
          <strong>{state.step === 'failed' ? 'Couldn’t verify' : 'Verifying…'}</strong>
          <p>
            {state.step === 'failed'
              ? state.reason
              : 'Your browser fetches the evidence and checks it against this server’s records.'}
          </p>
          {state.step === 'failed' && (
            <p>
              <button type="button" className={`${site.quiet} ${site.small}`} onClick={verifyAgain}>
                Try again
              </button>
            </p>
          )}
        </div>
      )}
    </>
  );
}

const offlineText = ({ evidence }: PublicEvidence): string =>
  evidence
    ? '; the guest isn’t responding, so this is the last evidence on record'
    : '; the guest isn’t responding, and there is no earlier evidence';

function Result({ state, onAgain }: { state: Extract<State, { step: 'done' }>; onAgain: () => void }) {
  const { answer, verified } = state;
  const { report, policy } = verified;
  const { name } = answer;
  return (
    <>
      <ReportView
        report={report}
        gaps={gapsOf(answer, report, { expected_by: 'server' })}
        isPast={answer.source === 'kept'}
      >
        Checked in this browser {answer.source === 'kept' ? 'as of ' : ''}
        {utc(report.verified_at)}
        {answer.is_online ? '' : offlineText(answer)}.{' '}
        <button type="button" className={`${site.quiet} ${site.small}`} onClick={onAgain}>
          Verify again
        </button>
      </ReportView>
      {answer.evidence && (
        <>
          <p>
            <button
              type="button"
              className={`${site.quiet} ${site.small}`}
              onClick={() =>
                saveFile(
                  `${name}.evidence.json`,
                  evidenceBundle(evidenceOf(answer), {
                    name,
                    vm_uuid: answer.vm_uuid,
                    collected_at: answer.collected_at ?? undefined,
                  }),
                  'application/json',
                )
              }
            >
              Download evidence
            </button>{' '}
            <button
              type="button"
              className={`${site.quiet} ${site.small}`}
              onClick={() => saveFile(`${name}.policy.json`, policyFile(policy), 'application/json')}
            >
              Download policy
            </button>
          </p>
          <p>
            Offline: <code className={site.hash}>{attestCommand(answer)}</code>
          </p>
        </>
      )}
    </>
  );
}
