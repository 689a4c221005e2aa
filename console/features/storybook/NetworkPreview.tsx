import type { ComponentType } from 'react';
import type { CvmUrl } from '../../../generated/api/types.gen';
import { Preview } from './Preview';
import type { PreviewSearch } from './search';

const APP = '50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1';
const url = (port: number, domain = 'dstack.example.test'): CvmUrl => ({
  app: `https://${APP}-${port}.${domain}`,
  instance: `https://8f1d3c5b7a9e0d2c4b6a8f1e3d5c7b9a0f2e4d6c-${port}.${domain}`,
});

interface NetworkProps {
  urls: readonly CvmUrl[];
  running: boolean;
  gateway_enabled: boolean;
}

const states: (NetworkProps & { id: string; name: string })[] = [
  { id: 'running', name: 'One port, running', urls: [url(80)], running: true, gateway_enabled: true },
  { id: 'stopped', name: 'Stopped', urls: [url(80)], running: false, gateway_enabled: true },
  {
    id: 'many',
    name: 'Many ports',
    urls: [80, 443, 3000, 5432, 8080, 9090].map((port) => url(port)),
    running: true,
    gateway_enabled: true,
  },
  { id: 'none', name: 'No port published', urls: [], running: true, gateway_enabled: true },
  { id: 'off', name: 'Gateway off', urls: [], running: true, gateway_enabled: false },
  {
    id: 'long',
    name: 'A very long domain',
    urls: [url(80, `${'a-long-label.'.repeat(12)}example.test`)],
    running: true,
    gateway_enabled: true,
  },
];

/** `View` is the component of the CVM's network page. */
export function NetworkPreview({
  View,
  search,
}: {
  View: ComponentType<NetworkProps>;
  search: PreviewSearch;
}) {
  return (
    <Preview
      title="Network"
      text="Where a CVM answers, as its page shows it. The data is made up; nothing is asked of a server."
      search={search}
      states={states.map(({ id, name, ...props }) => ({ id, name, node: <View {...props} /> }))}
    />
  );
}
