import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { DomainsPanel } from './DomainsPanel';
import { EndpointsPanel } from './EndpointsPanel';
import { GuestPanel } from './GuestPanel';
import { PortsPanel } from './PortsPanel';
import type { NetworkProps } from './types';
import { VerdictBox } from './VerdictBox';

/** Reachability, endpoints, ports, domains and guest network. Makes no API calls. */
export function NetworkView(props: NetworkProps) {
  const { network, problem } = props;
  if (!network)
    return problem ? (
      <ErrorNotice problem={problem} />
    ) : (
      <Sections>
        <CardSkeleton lines={2} />
        <Panel title="Endpoints">
          <CardSkeleton lines={4} />
        </Panel>
      </Sections>
    );
  return (
    <Sections>
      <VerdictBox {...props} network={network} />
      {problem && <ErrorNotice problem={problem} />}
      <EndpointsPanel {...props} network={network} />
      {props.mcp}
      <DomainsPanel {...props} network={network} />
      <PortsPanel {...props} network={network} />
      <GuestPanel network={network} />
    </Sections>
  );
}
