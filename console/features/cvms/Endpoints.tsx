import styled from '@emotion/styled';
import type { CvmUrl } from '../../../generated/api/types.gen';
import { AddressList } from '../../ui/data/AddressList';
import { color, type } from '../../ui/theme';

const Text = styled('p')({ ...type.body, color: color.muted });

interface Props {
  urls: readonly CvmUrl[];
  running: boolean;
  gateway_enabled: boolean;
}

/** The CVM's endpoints, or why it has none. */
export function Endpoints({ urls, running, gateway_enabled }: Props) {
  const addresses = [...new Set(urls.map(({ app }) => app))];
  if (addresses.length === 0)
    return (
      <Text>
        {gateway_enabled
          ? 'The Compose file publishes no port that a gateway can reach. The Network page shows why.'
          : 'The gateway is disabled for this app.'}
      </Text>
    );
  return (
    <>
      <AddressList addresses={addresses} answering={running} />
      {!running && <Text style={{ marginTop: 8 }}>Available while running.</Text>}
    </>
  );
}
