import type { CvmNetwork, CvmStatus, NetworkCheck } from '../../../generated/api/types.gen';
import { SIMULATED_TEXT } from '../../lib/cvms/addresses';
import { formatDuration } from '../../lib/time/time';
import type { Tone } from '../../ui/feedback/status';

/** The page's answer to "Is it reachable?". */
export interface Verdict {
  tone: Tone;
  title: string;
  text: string;
  /** The tab where the problem can be fixed. */
  go?: { tab: 'compose' | 'settings' | 'events' | 'logs'; label: string };
  /** Whether testing an address would help. */
  worth_trying: boolean;
}

export interface VerdictOf {
  status: CvmStatus;
  host_reachable: boolean;
  /** Whether the containers are simulated, because the local teepod has no Docker engine. */
  simulated?: boolean;
  network: Pick<CvmNetwork, 'gateway' | 'ports' | 'handshake'>;
  /** The latest test of any address on this page. */
  check: NetworkCheck | null;
}

export function verdictOf({ status, host_reachable, simulated, network, check }: VerdictOf): Verdict {
  const { gateway, ports, handshake } = network;
  const open = ports.filter(({ reach }) => reach === 'public').length;
  if (!gateway.enabled)
    return {
      tone: 'neutral',
      title: 'No: the gateway is disabled for this app.',
      text: 'Its compose sets gateway_enabled: false. Outgoing connections work; incoming ones don’t.',
      worth_trying: false,
    };
  if (gateway.base_domain === null)
    return {
      tone: 'attention',
      title: 'No: its host has no gateway.',
      text: 'Ask an administrator to configure a gateway for the host.',
      worth_trying: false,
    };
  if (open === 0)
    return {
      tone: 'attention',
      title: 'No: no public port.',
      text:
        ports.length === 0
          ? 'The Compose file publishes no ports. Add one, such as "80:8080", to the service.'
          : 'The published ports aren’t reachable through the gateway. See the Ports table for reasons.',
      go: { tab: 'compose', label: 'Publish a port' },
      worth_trying: false,
    };
  if (status === 'stopped' || status === 'shutting_down' || status === 'stopping')
    return {
      tone: 'neutral',
      title: status === 'stopped' ? 'No: the CVM is stopped.' : 'No: the CVM is stopping.',
      text: 'Its addresses are kept and work again once it’s running.',
      go: { tab: 'settings', label: 'Start' },
      worth_trying: false,
    };
  if (status === 'error')
    return {
      tone: 'error',
      title: 'Probably not: the CVM isn’t running.',
      text: 'Check the failed operation. Its addresses work again once it’s running.',
      go: { tab: 'events', label: 'View failure' },
      worth_trying: true,
    };
  if (status === 'lost')
    return {
      tone: 'error',
      title: 'No: the CVM is lost.',
      text: 'Its host doesn’t list its VM. Its addresses work again once it’s running.',
      go: { tab: 'events', label: 'View events' },
      worth_trying: false,
    };
  if (status !== 'running')
    return {
      tone: 'progress',
      title: `Not yet: the CVM is ${status.replace('_', ' ')}.`,
      text: 'Its addresses work once the containers are running.',
      worth_trying: false,
    };
  if (simulated)
    return {
      tone: 'simulated',
      title: 'No: containers are simulated on this host.',
      text: SIMULATED_TEXT,
      worth_trying: false,
    };
  if (check && !check.reachable)
    return {
      tone: 'error',
      title: 'The last test failed.',
      text: [check.summary, check.what_to_do].filter((part) => part !== null).join(' '),
      worth_trying: true,
    };
  if (check)
    return {
      tone: check.what_to_do === null ? 'ok' : 'attention',
      title: 'Yes: this server just reached it.',
      text: [check.summary, check.what_to_do].filter((part) => part !== null).join(' '),
      worth_trying: true,
    };
  if (handshake.state === 'stale' || handshake.state === 'never')
    return {
      tone: 'error',
      title: 'Probably not: the gateway lost its tunnel to the CVM.',
      text:
        handshake.age_seconds === null
          ? 'No handshake yet. The gateway only routes to instances that have connected.'
          : `The last handshake was ${formatDuration(handshake.age_seconds)} ago; the gateway stops routing after 30 minutes. Restart the CVM. If that doesn’t help, contact an administrator.`,
      go: { tab: 'settings', label: 'Restart' },
      worth_trying: true,
    };
  if (!host_reachable)
    return {
      tone: 'attention',
      title: 'Unknown: its host isn’t responding to this server.',
      text: 'It may still be reachable through the gateway. Test an address.',
      worth_trying: true,
    };
  return {
    tone: 'neutral',
    title: `It should be: the CVM is running and publishes ${open === 1 ? 'one port' : `${open} ports`}.`,
    text:
      gateway.kind === 'local'
        ? 'The local teepod serves plain HTTP on its own machine only.'
        : 'Run a test to check the gateway, the port and the app.',
    worth_trying: true,
  };
}
