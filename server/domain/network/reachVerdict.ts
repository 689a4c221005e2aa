import type { CvmStatus } from '../cvms/cvmStates';

/** Explains a reachability check's steps to the app's owner. */

interface ReachStep {
  name: 'dns' | 'tcp' | 'tls' | 'http';
  state: 'passed' | 'warning' | 'failed' | 'skipped';
  detail: string;
}

export interface ReachResult {
  steps: readonly ReachStep[];
  status: number | null;
  /** Start of the response body. */
  body: string;
}

export interface ReachAbout {
  form: 'http' | 'tls' | 'grpc';
  /** Of the CVM. */
  port: number;
  kind: 'local' | 'dstack_vmm';
  status: CvmStatus;
  /** Whether the host only simulates containers, because it has no Docker engine. */
  simulated?: boolean;
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
    const answered = status === null ? 'It responds.' : `Returned status ${status}.`;
    if (untrusted)
      return {
        reachable: true,
        summary: `${answered} But ${untrusted.detail.split(', but ')[1] ?? 'its certificate is not trusted'}.`,
        what_to_do:
          about.form === 'tls'
            ? 'The app serves the certificate here. Give it one for this name, for example with dstack-ingress.'
            : 'The gateway serves the certificate. Ask an administrator to check it.',
      };
    if (status !== null && status >= 500)
      return {
        reachable: true,
        summary: `The app is reachable but returned an error (status ${status}).`,
        what_to_do: "Check the container's logs.",
      };
    return { reachable: true, summary: answered, what_to_do: null };
  }
  // After TLS passthrough, a protocol other than HTTP is a valid service.
  if (failed.name === 'http' && about.form === 'tls' && failed.detail.includes('not in HTTP'))
    return {
      reachable: true,
      summary: 'It responds over TLS with a protocol other than HTTP.',
      what_to_do: null,
    };
  return { reachable: false, summary: failed.detail, what_to_do: adviceFor(failed.name, about) };
}

/** The local gateway reports the reason itself. */
function localRefusal({ body }: ReachResult, { status, simulated }: ReachAbout): ReachVerdict {
  const said = /<p>([^<]{1,400})<\/p>/.exec(body)?.[1];
  const reason = said
    ?.replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    // A sentence of its own there; an acronym keeps its capitals.
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
    .replace(/\.$/, '');
  return {
    reachable: false,
    summary: reason
      ? `The gateway responds, but ${reason}.`
      : "The gateway responds, but the app behind it doesn't (status 502).",
    what_to_do:
      status !== 'running'
        ? 'Start the CVM.'
        : simulated
          ? 'Ask an administrator to run a Docker engine on the host.'
          : 'Check the containers and their logs.',
  };
}

function adviceFor(step: ReachStep['name'], { form, port, kind, status }: ReachAbout): string {
  if (status !== 'running') return "The CVM isn't running. Start it and try again.";
  if (step === 'dns') return "Check the domain's DNS records against those on this page.";
  if (step === 'tcp')
    return kind === 'local'
      ? "The local teepod's gateway isn't listening. Check that the teepod is running."
      : "The gateway isn't responding. Ask an administrator to check it.";
  const inside = `A container in the CVM must listen on port ${port} on 0.0.0.0, not only on 127.0.0.1.`;
  if (step === 'tls')
    return form === 'tls'
      ? `TLS is passed through, so the app itself must serve TLS on port ${port}. ${inside}`
      : form === 'grpc'
        ? `The app must serve HTTP/2 on port ${port}. ${inside}`
        : "The gateway should terminate TLS for this address but didn't. Ask an administrator to check it.";
  return `${inside} Check its log.`;
}
