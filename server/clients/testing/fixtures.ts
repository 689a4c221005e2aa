/** Input for the clients, and the parts of replies that the tests read. */

export const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n    ports: ["80:80"]\n';
/** Prints its secret, so that a log shows whether it arrived; exits immediately on a signal. */
export const COMPOSE_WITH_SECRET = `services:
  web:
    image: nginx:alpine
    command: ["sh", "-c", "trap 'exit 0' TERM; echo FOO is $$FOO; sleep 100000 & wait"]
    environment: ["FOO"]
`;

/** A well-formed public key whose private key nobody has. */
export function sshKey(fill: number): string {
  const blob = Buffer.concat([
    Buffer.from('0000000b', 'hex'),
    Buffer.from('ssh-ed25519'),
    Buffer.from('00000020', 'hex'),
    Buffer.alloc(32, fill),
  ]);
  return `ssh-ed25519 ${blob.toString('base64')} t@example.test`;
}

export interface Deployed {
  success: boolean;
  vm_uuid: string;
  name: string;
  app_id: string;
  dashboard_url: string;
}
export interface Cvm {
  id: string | number;
  name: string;
  app_id: string;
  vm_uuid: string;
  instance_id: string;
  status: string;
  compose_hash: string;
  resource: { vcpu: number; memory_in_gb: number; disk_in_gb: number };
  gateway: { base_domain: string };
  endpoints: { app: string }[];
}
export interface Apps {
  items: { appId: string; cvmName: string; status: string; uptime: string }[];
}
