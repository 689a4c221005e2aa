import { styled } from '@mui/material/styles';
import type { CvmUrl } from '../../../generated/api/types.gen';
import { CopyButton } from '../../ui/controls/CopyButton';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';

const List = styled('ul')({ display: 'grid', gap: space(1) });
const Endpoint = styled('li')({
  ...type.mono,
  display: 'flex',
  alignItems: 'center',
  gap: space(1),
  minWidth: 0,
  '& > a, & > span': { minWidth: 0, overflowWrap: 'anywhere' },
});
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
      <List>
        {addresses.map((url) => (
          <Endpoint key={url}>
            {running ? (
              <TextLink href={url} target="_blank">
                {url}
              </TextLink>
            ) : (
              <span style={{ color: color.muted }}>{url}</span>
            )}
            <CopyButton text={url} what="address" />
          </Endpoint>
        ))}
      </List>
      {!running && <Text style={{ marginTop: 8 }}>They answer while it runs.</Text>}
    </>
  );
}
