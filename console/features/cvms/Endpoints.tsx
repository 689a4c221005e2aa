import styled from '@emotion/styled';
import type { Cvm } from '../../../generated/api/types.gen';
import { appAddresses, unservedText } from '../../lib/cvms/addresses';
import { AddressList } from '../../ui/data/AddressList';
import { color, type } from '../../ui/theme';

const Text = styled('p')({ ...type.body, color: color.muted });

interface Props {
  cvm: Pick<Cvm, 'status' | 'simulated' | 'public_urls' | 'gateway_enabled'>;
}

/** The CVM's endpoints, or why it has none. */
export function Endpoints({ cvm }: Props) {
  const addresses = appAddresses([cvm]);
  if (addresses.length === 0)
    return (
      <Text>
        {cvm.gateway_enabled
          ? 'The Compose file publishes no port that a gateway can reach. The Network page shows why.'
          : 'The gateway is disabled for this app.'}
      </Text>
    );
  const why = unservedText([cvm], 'Available while running.');
  return (
    <>
      <AddressList addresses={addresses} />
      {why !== undefined && <Text style={{ marginTop: 8 }}>{why}</Text>}
    </>
  );
}
