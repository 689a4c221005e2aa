import styled from '@emotion/styled';
import type { DeployedApp } from '../../../../lib/kms/appAuth';
import type { ChainDefinition } from '../../../../lib/kms/chains';
import { contractCall } from '../../../../lib/kms/contractCalls';
import type { EstimateFee } from '../../../../lib/wallets/fee';
import { Button } from '../../../../ui/controls/Button';
import { color, type } from '../../../../ui/theme';
import { CallDetails } from '../../../../ui/wallets/CallDetails';
import { KnownContract } from './KnownContract';
import type { CheckContract } from './naming';
import type { Needed } from './savedContract';

const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });

interface Props {
  app: DeployedApp;
  needed: Needed;
  chain: ChainDefinition;
  estimate?: EstimateFee | undefined;
  check: CheckContract;
  onOther: () => void;
  onUse: (app: DeployedApp) => void;
}

/**
 * A contract deployed for a reservation with another device. Allowing this device takes one transaction, but no
 * second contract.
 */
export function OtherDevice({ app, needed, chain, estimate, check, onOther, onUse }: Props) {
  return (
    <>
      <KnownContract
        title="Your contract for this app was deployed for another device."
        app_id={app.app_id}
        other={<Button onClick={onOther}>Deploy another</Button>}
        check={check}
        onUse={onUse}
      />
      <Text>
        The earlier host reservation expired, and the new one is for a different device. Allow that device in
        the same contract, then use the contract. If the contract allows any device, use it now.
      </Text>
      <CallDetails
        call={contractCall('addDevice', needed.device_id)}
        contract={`0x${app.app_id}`}
        chain={chain}
        estimate={estimate}
        onDone={() => undefined}
      />
    </>
  );
}
