import type { Start } from './search';

export interface Starter extends Start {
  id: string;
  title: string;
  /** What it runs, in a sentence. */
  text: string;
  name: string;
}

/** Compose files to start from: public images, each demonstrating one feature. */
export const STARTERS: readonly Starter[] = [
  {
    id: 'web',
    title: 'Web server',
    text: 'nginx behind a public HTTPS address.',
    name: 'web-server',
    compose: `services:
  web:
    image: nginx:1.29-alpine
    restart: unless-stopped
    ports:
      - "80:80"
`,
  },
  {
    id: 'secret',
    title: 'API with a secret',
    text: 'An HTTP service that reads an encrypted secret.',
    name: 'api-server',
    compose: `services:
  api:
    image: traefik/whoami:v1.11
    restart: unless-stopped
    environment:
      WHOAMI_NAME: \${API_NAME}
    ports:
      - "80:80"
`,
    secrets: [{ key: 'API_NAME', value: '' }],
  },
  {
    id: 'database',
    title: 'Database',
    text: 'PostgreSQL on the CVM’s disk, with Adminer to manage it.',
    name: 'postgres',
    compose: `services:
  db:
    image: postgres:17-alpine
    restart: unless-stopped
    environment:
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD}
    volumes:
      - data:/var/lib/postgresql/data
  adminer:
    image: adminer:5
    restart: unless-stopped
    ports:
      - "8080:8080"
volumes:
  data:
`,
    secrets: [{ key: 'POSTGRES_PASSWORD', value: '' }],
  },
];
