import type { CvmNetwork, CvmStatus, NetworkCheck } from '../../../../generated/api/types.gen';
import { formatDuration } from '../../../lib/time';
import type { Tone } from '../../../ui/feedback/status';

/** Can people reach it? */
export interface Verdict {
  tone: Tone;
  title: string;
  text: string;
  /** The tab where something can be done about it. */
  go?: { tab: 'compose' | 'settings' | 'events' | 'logs'; label: string };
  /** Whether trying an address now would say more. */
  worth_trying: boolean;
}

export interface VerdictOf {
  status: CvmStatus;
  host_reachable: boolean;
  network: Pick<CvmNetwork, 'gateway' | 'ports' | 'handshake'>;
  /** The last try of any address on this page. */
  check: NetworkCheck | null;
}

export function verdictOf({ status, host_reachable, network, check }: VerdictOf): Verdict {
  const { gateway, ports, handshake } = network;
  const open = ports.filter(({ reach }) => reach === 'public').length;
  if (!gateway.enabled)
    return {
      tone: 'neutral',
      title: 'Nobody: the gateway is off for this app.',
      text: 'Its compose says gateway_enabled: false. It can reach out, and nothing reaches it from outside.',
      worth_trying: false,
    };
  if (gateway.base_domain === null)
    return {
      tone: 'attention',
      title: 'Nobody: its host has no gateway.',
      text: 'Ask an administrator of this server to give the host a gateway.',
      worth_trying: false,
    };
  if (open === 0)
    return {
      tone: 'attention',
      title: 'Nobody: no port is published to the outside.',
      text:
        ports.length === 0
          ? 'The compose file publishes no port. Add one, such as "80:8080", to the service that is to be reached.'
          : 'The ports that are published cannot be reached through the gateway; the table below says why.',
      go: { tab: 'compose', label: 'Publish a port' },
      worth_trying: false,
    };
  if (status === 'stopped' || status === 'shutting_down' || status === 'stopping')
    return {
      tone: 'neutral',
      title: status === 'stopped' ? 'Nobody: it is stopped.' : 'Not any more: it is being stopped.',
      text: 'Its addresses stay, and answer again when it runs.',
      go: { tab: 'settings', label: 'Start it' },
      worth_trying: false,
    };
  if (status === 'error')
    return {
      tone: 'error',
      title: 'Probably nobody: it does not run.',
      text: 'Look at what failed; its addresses answer when it runs again.',
      go: { tab: 'events', label: 'What failed' },
      worth_trying: true,
    };
  if (status !== 'running')
    return {
      tone: 'progress',
      title: `Not yet: it is ${status.replace('_', ' ')}.`,
      text: 'Its addresses answer as soon as the containers are up.',
      worth_trying: false,
    };
  if (check && !check.reachable)
    return {
      tone: 'error',
      title: 'The last try did not get through.',
      text: [check.summary, check.what_to_do].filter((part) => part !== null).join(' '),
      worth_trying: true,
    };
  if (check)
    return {
      tone: check.what_to_do === null ? 'ok' : 'attention',
      title: 'Yes: this server has just reached it.',
      text: [check.summary, check.what_to_do].filter((part) => part !== null).join(' '),
      worth_trying: true,
    };
  if (handshake.state === 'stale' || handshake.state === 'never')
    return {
      tone: 'error',
      title: 'Probably nobody: the gateway has lost its tunnel to it.',
      text:
        handshake.age_seconds === null
          ? 'No handshake was ever made. The gateway leads nobody to an instance it has not heard of.'
          : `The last handshake is ${formatDuration(handshake.age_seconds)} old; after 30 minutes the gateway leads nobody there. Restart the CVM, and tell an administrator if it stays.`,
      go: { tab: 'settings', label: 'Restart it' },
      worth_trying: true,
    };
  if (!host_reachable)
    return {
      tone: 'attention',
      title: 'Perhaps: its host does not answer this server.',
      text: 'Visitors come through the gateway and may still reach it. Try an address.',
      worth_trying: true,
    };
  return {
    tone: 'neutral',
    title: `It should be: it runs and publishes ${open === 1 ? 'one port' : `${open} ports`}.`,
    text:
      gateway.kind === 'local'
        ? 'The local teepod serves plain HTTP on its own machine only.'
        : 'Try it, to be sure: the gateway, the port and the app behind it.',
    worth_trying: true,
  };
}
