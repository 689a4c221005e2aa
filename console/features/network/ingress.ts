/** Compose snippet for a custom domain: TLS terminates inside the CVM, in a container that gets its own certificate. */

/** Version 2.2, pinned by digest because a tag can change. */
const INGRESS_IMAGE =
  'dstacktee/dstack-ingress:2.2@sha256:d05a7b343c37c1cca1bba8dbf7e8f3c6d2118158af2d41c455103796db4f67f0';

export const DNS_PROVIDERS = {
  cloudflare: { label: 'Cloudflare', secrets: ['CLOUDFLARE_API_TOKEN'] },
  linode: { label: 'Linode', secrets: ['LINODE_API_TOKEN'] },
  namecheap: {
    label: 'Namecheap',
    secrets: ['NAMECHEAP_USERNAME', 'NAMECHEAP_API_KEY', 'NAMECHEAP_CLIENT_IP'],
  },
  route53: { label: 'Amazon Route 53', secrets: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] },
} as const;

export type DnsProvider = keyof typeof DNS_PROVIDERS;

export interface Ingress {
  domain: string;
  /** The CVM port, named in the TXT record. */
  port: number;
  /** The CNAME target. */
  cname: string;
  /** `service:port` inside the compose file, plain HTTP. */
  target: string;
  provider: DnsProvider;
}

export function ingressCompose({ domain, port, cname, target, provider }: Ingress): string {
  const { secrets } = DNS_PROVIDERS[provider];
  return `services:
  ingress:
    image: ${INGRESS_IMAGE}
    restart: unless-stopped
    ports:
      - "${port}:${port}"
    environment:
      DOMAIN: "${domain}"
      PORT: "${port}"
      GATEWAY_DOMAIN: "${cname}"
      TARGET_ENDPOINT: http://${target}
      TXT_PREFIX: _dstack-app-address
      SET_CAA: "true"
      CERTBOT_EMAIL: \${CERTBOT_EMAIL}
      DNS_PROVIDER: ${provider}
${secrets.map((name) => `      ${name}: \${${name}}`).join('\n')}
    volumes:
      - /var/run/dstack.sock:/var/run/dstack.sock
      - cert-data:/etc/letsencrypt
volumes:
  cert-data:
`;
}

/** Secrets the snippet reads from the sealed environment. */
export const ingressSecrets = (provider: DnsProvider): readonly string[] => [
  'CERTBOT_EMAIL',
  ...DNS_PROVIDERS[provider].secrets,
];
