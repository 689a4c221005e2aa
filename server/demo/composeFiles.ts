/** Compose files of the demo's apps. */

const WHOAMI = 'docker.io/traefik/whoami:v1.11.0';

/** One service; it contains the revision number, so that every revision differs. */
export const shortCompose = (name: string, revision: number): string => `services:
  web:
    image: ${WHOAMI}
    command: --port 80 --name ${name.slice(0, 20)}
    environment:
      RELEASE: "${revision}"
    ports:
      - "80:80"
    restart: unless-stopped
`;

const SERVICES = 12;
const VARIABLES = 40;

/** As many lines as a large deployment has: several hundred, some of them wide. */
export function longCompose(revision: number): string {
  const service = (i: number) => `  service-${i}-of-the-settlement-platform:
    image: ${WHOAMI}
    command: --port ${8000 + i}
    # ${'This comment explains at length what everybody knows. '.repeat(6).trim()}
    environment:
${Array.from({ length: VARIABLES }, (_, n) => `      SETTING_${n}_OF_SERVICE_${i}: "${`value ${n} of release ${revision} `.repeat(3).trim()}"`).join('\n')}
    ports:
      - "${8000 + i}:${8000 + i}"
    restart: unless-stopped
`;
  return `services:\n${Array.from({ length: SERVICES }, (_, i) => service(i + 1)).join('')}`;
}
