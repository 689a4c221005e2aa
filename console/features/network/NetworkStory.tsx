import { useState } from 'react';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { NetworkView } from './NetworkView';
import type { NetworkStateOf } from './storyData';
import { triedKey, type Tried } from './types';
import { VerdictBox } from './VerdictBox';

/** The network page with sample data; its buttons work as far as possible without a server. */
export function NetworkStory({
  state,
  mayWrite = true,
}: {
  state: NetworkStateOf;
  /** False shows the page as a viewer sees it. */
  mayWrite?: boolean;
}) {
  const [tried, setTried] = useState<ReadonlyMap<string, Tried>>(state.tried);
  const [verifying, setVerifying] = useState<string | null>(null);
  const { name: _name, id: _id, status, host_reachable, network, problem, domains } = state;
  return (
    <NetworkView
      cvm={{ name: 'web-frontend', status, host_reachable }}
      network={network}
      problem={problem}
      domains={domains}
      domainsProblem={null}
      tried={tried}
      refused={mayWrite ? undefined : 'Your role in Acme (viewer) doesn’t allow this.'}
      verifying={verifying}
      verifyProblem={null}
      link={(tab) => `#${tab}`}
      onTry={(what) =>
        setTried((before) =>
          new Map(before).set(triedKey(what), { pending: true, result: null, problem: null }),
        )
      }
      onAddDomain={() => undefined}
      onVerifyDomain={setVerifying}
      onRemoveDomain={() => undefined}
    />
  );
}

/** The page's verdict in this state. */
export function NetworkBrief({ state }: { state: NetworkStateOf }) {
  const { status, host_reachable, network, problem, tried } = state;
  if (!network) return problem ? <ErrorNotice problem={problem} /> : <CardSkeleton lines={2} />;
  return (
    <VerdictBox
      cvm={{ name: 'web-frontend', status, host_reachable }}
      network={network}
      tried={tried}
      link={(tab) => `#${tab}`}
      onTry={() => undefined}
    />
  );
}
