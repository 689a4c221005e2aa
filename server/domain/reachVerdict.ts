import type { CvmStatus } from './cvmStates';

/** What the steps of a reachability check mean for the owner of the app. */

export interface ReachStep {
  name: 'dns' | 'tcp' | 'tls' | 'http';
  state: 'passed' | 'warning' | 'failed' | 'skipped';
  detail: string;
}

export interface ReachResult {
  steps: readonly ReachStep[];
  status: number | null;
  /** Beginning of the answer's body. */
  body: string;
}

export interface ReachAbout {
  form: 'http' | 'tls' | 'grpc';
  /** Of the CVM. */
  port: number;
  kind: 'local' | 'dstack_vmm';
  status: CvmStatus;
}

export interface ReachVerdict {
  reachable: boolean;
  summary: string;
  what_to_do: string | null;
}

export function verdictOf(result: ReachResult, about: ReachAbout): ReachVerdict {
  const { steps, status } = result;
  const failed = steps.find(({ state }) => state === 'failed');
  const untrusted = steps.find(({ name, state }) => name === 'tls' && state === 'warning');
  if (about.kind === 'local' && status === 502) return localRefusal(result, about);
  if (!failed) {
    const answered = status === null ? 'It answers.' : `It answers with status ${status}.`;
    if (untrusted)
      return {
        reachable: true,
        summary: `${answered} But ${untrusted.detail.split(', but ')[1] ?? 'its certificate is not trusted'}.`,
        what_to_do:
          about.form === 'tls'
            ? 'The app holds the certificate here: give it one for this name, for example with dstack-ingress.'
            : 'The gateway holds the certificate: an administrator has to look at it.',
      };
    if (status !== null && status >= 500)
      return {
        reachable: true,
        summary: `The app is reached, and answers with an error (status ${status}).`,
        what_to_do: 'Read the logs of the container.',
      };
    return { reachable: true, summary: answered, what_to_do: null };
  }
  // TLS that is passed through and then speaks something else than HTTP is a service of its own kind.
  if (failed.name === 'http' && about.form === 'tls' && failed.detail.includes('not in HTTP'))
    return {
      reachable: true,
      summary: 'It answers over TLS, in another protocol than HTTP.',
      what_to_do: null,
    };
  return { reachable: false, summary: failed.detail, what_to_do: adviceFor(failed.name, about) };
}

/** The local gateway says itself what is missing. */
function localRefusal({ body }: ReachResult, { status }: ReachAbout): ReachVerdict {
  const said = /<p>([^<]{1,400})<\/p>/.exec(body)?.[1];
  const reason = said
    ?.replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
  return {
    reachable: false,
    summary: reason
      ? `The gateway answers, but ${reason}.`
      : 'The gateway answers, but the app behind it does not (status 502).',
    what_to_do: status === 'running' ? 'Look at the containers and their logs.' : 'Start the CVM.',
  };
}

function adviceFor(step: ReachStep['name'], { form, port, kind, status }: ReachAbout): string {
  if (status !== 'running') return 'The CVM does not run. Start it, and try again.';
  if (step === 'dns') return 'Look at the domain in DNS; the records to set are on this page.';
  if (step === 'tcp')
    return kind === 'local'
      ? 'The gateway of the local teepod does not listen: see whether the teepod runs.'
      : 'The gateway does not answer: an administrator has to look at it.';
  const inside = `Inside the CVM a container has to listen on port ${port}, on 0.0.0.0 and not on 127.0.0.1 only.`;
  if (step === 'tls')
    return form === 'tls'
      ? `TLS is passed through: the app itself has to speak TLS on port ${port}. ${inside}`
      : form === 'grpc'
        ? `The app has to speak HTTP/2 on port ${port}. ${inside}`
        : 'The gateway ends TLS for this address and did not: an administrator has to look at it.';
  return `${inside} Read its log.`;
}
