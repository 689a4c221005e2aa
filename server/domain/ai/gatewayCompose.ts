/** Paths below the public URL where gateways find their control plane. */
const CONTROL_PATH = '/ai-control';

/** Secrets of the app, inserted into the configuration by its Compose file. */
const CONTROL_TOKEN = 'TEEHOUSE_CONTROL_TOKEN';
const CONFIG_TOKEN = 'TEEHOUSE_CONFIG_TOKEN';

/** The app's secrets. */
export const gatewaySecrets = ({
  control_token,
  config_token,
}: Record<'control_token' | 'config_token', string>) => [
  { key: CONTROL_TOKEN, value: control_token },
  { key: CONFIG_TOKEN, value: config_token },
];

export const controlUrls = (publicUrl: string) => ({
  control_url: new URL(CONTROL_PATH, publicUrl).href,
  config_url: new URL(`${CONTROL_PATH}/upstreams`, publicUrl).href,
});

/**
 * Returns the Compose file of a gateway (Private AI Gateway, docs/configuration-reference.md). It is measured
 * and public, so the tokens are app secrets, and everything else is fixed in it.
 */
export function gatewayCompose({ image }: { image: string }, publicUrl: string): string {
  const { control_url, config_url } = controlUrls(publicUrl);
  const config = {
    bind: '0.0.0.0:8086',
    state_dir: '/var/lib/private-ai-gateway',
    dstack_endpoint: 'unix:/var/run/dstack.sock',
    upstream_pull: { url: config_url, token: `\${${CONFIG_TOKEN}}`, refresh_seconds: 60 },
    middleware: { control_url, control_token: `\${${CONTROL_TOKEN}}` },
  };
  const content = JSON.stringify(config, null, 2).replaceAll('\n', '\n      ');
  return `services:
  gateway:
    image: ${image}
    environment:
      PRIVATE_AI_GATEWAY_CONFIG_PATH: /etc/private-ai-gateway/config.json
    configs:
      - source: gateway
        target: /etc/private-ai-gateway/config.json
    ports:
      - "8086:8086"
    volumes:
      - state:/var/lib/private-ai-gateway
      - /var/run/dstack.sock:/var/run/dstack.sock
    restart: unless-stopped
configs:
  gateway:
    content: |
      ${content}
volumes:
  state:
`;
}
