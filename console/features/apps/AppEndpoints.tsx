import styled from '@emotion/styled';
import type { Cvm } from '../../../generated/api/types.gen';
import { appAddresses, unservedText } from '../../lib/cvms/addresses';
import { AddressList } from '../../ui/data/AddressList';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';

const Text = styled('p')({ ...type.body, color: color.muted });
const Short = styled('ul')({ display: 'grid', gap: space(2), '& > li': { overflowWrap: 'anywhere' } });
const Small = styled('p')({ ...type.small, color: color.muted, marginTop: space(2) });

type Addressed = Pick<Cvm, 'status' | 'simulated' | 'public_urls'>;

/** The app's addresses, which route to any running CVM. */
export function AppEndpoints({ cvms }: { cvms: readonly (Addressed & Pick<Cvm, 'gateway_enabled'>)[] }) {
  const addresses = appAddresses(cvms);
  if (cvms.length === 0) return <Text>The app has no CVMs, so its addresses are unavailable.</Text>;
  if (addresses.length === 0)
    return (
      <Text>
        {cvms.some((cvm) => cvm.gateway_enabled)
          ? 'The Compose file publishes no port that a gateway can reach. A CVM’s Network page shows why.'
          : 'The gateway is disabled for this app.'}
      </Text>
    );
  const why = unservedText(cvms, 'Available while a CVM is running.');
  return (
    <>
      <AddressList addresses={addresses} />
      {why !== undefined && <Text style={{ marginTop: 8 }}>{why}</Text>}
    </>
  );
}

/** The addresses of the app's current CVM, for the aside. The current one runs if any does. */
export function ShortEndpoints({ cvm }: { cvm: Addressed }) {
  const why = unservedText([cvm], 'Available while running.');
  return (
    <>
      <Short>
        {appAddresses([cvm]).map(({ url, isServed }) => {
          const text = url.replace(/^https?:\/\//, '');
          return (
            <li key={url}>
              {isServed ? (
                <TextLink href={url}>{text}</TextLink>
              ) : (
                <span style={{ color: color.muted }}>{text}</span>
              )}
            </li>
          );
        })}
      </Short>
      {why !== undefined && <Small>{why}</Small>}
    </>
  );
}
