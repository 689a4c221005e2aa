import { styled } from '@mui/material/styles';
import type { CvmUrl } from '../../../generated/api/types.gen';
import { AddressList } from '../../ui/data/AddressList';
import { color, type } from '../../ui/theme';

const Text = styled('p')({ ...type.body, color: color.muted });

interface Props {
  urls: readonly CvmUrl[];
  running: boolean;
  gateway_enabled: boolean;
}

/** Where it answers, and why nowhere when that is so. */
export function Endpoints({ urls, running, gateway_enabled }: Props) {
  const addresses = [...new Set(urls.map(({ app }) => app))];
  if (addresses.length === 0)
    return (
      <Text>
        {gateway_enabled
          ? 'The compose file publishes no port, so nothing of it can be reached from outside.'
          : 'The gateway is off for this app.'}
      </Text>
    );
  return (
    <>
      <AddressList addresses={addresses} answering={running} />
      {!running && <Text style={{ marginTop: 8 }}>They answer while it runs.</Text>}
    </>
  );
}
