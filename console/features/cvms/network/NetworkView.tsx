import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { Panel } from '../../../ui/layout/Panel';
import { DomainsPanel } from './DomainsPanel';
import { EndpointsPanel } from './EndpointsPanel';
import { GuestPanel } from './GuestPanel';
import { PortsPanel } from './PortsPanel';
import type { NetworkProps } from './types';
import { VerdictBox } from './VerdictBox';

/** Can people reach it, where, by which ports and domains, and how its guest is connected. Knows no API. */
export function NetworkView(props: NetworkProps) {
  const { network, problem } = props;
  if (!network)
    return problem ? (
      <ErrorNotice problem={problem} />
    ) : (
      <>
        <CardSkeleton lines={2} />
        <Panel title="Endpoints">
          <CardSkeleton lines={4} />
        </Panel>
      </>
    );
  return (
    <>
      <VerdictBox {...props} network={network} />
      {problem && <ErrorNotice problem={problem} />}
      <EndpointsPanel {...props} network={network} />
      <DomainsPanel {...props} network={network} />
      <PortsPanel {...props} network={network} />
      <GuestPanel network={network} />
    </>
  );
}
