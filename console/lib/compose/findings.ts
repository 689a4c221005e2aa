import { cutWhole } from '../texts/cutWhole';

// Preflight findings: each one's severity and its consequence for the user.

export type Severity = 'error' | 'warning' | 'info';

const CATALOGUE = {
  yaml_syntax: ['error', 'The file is not valid YAML.'],
  yaml_warning: ['warning', 'The YAML is readable, but part of it is unusual.'],
  too_large: ['error', 'The limit for Compose file and pre-launch script together is 204,800 bytes.'],
  too_complex: [
    'error',
    'Limits: 256 services, 1,024 ports entries, 2,000 aliases, 500,000 values once aliases are expanded.',
  ],
  not_unicode: ['error', 'Invalid Unicode has no stable encoding and therefore no stable compose hash.'],
  alias_unknown: ['error', 'An alias (*name) needs an anchor (&name) above it.'],
  duplicate_key: ['error', 'A key may appear only once in a mapping; docker compose rejects the file.'],
  file_empty: ['error', 'A Compose file needs at least one service with an image.'],
  wrong_type: ['error', 'docker compose doesn’t accept this type of value here.'],
  unknown_field: ['warning', 'docker compose rejects unknown fields, except names that start with x-.'],
  version_obsolete: ['info', 'docker compose ignores the version field; it can be removed.'],
  services_missing: ['error', 'Containers are listed under the key services.'],
  service_name: ['error', 'Service names may contain only letters, digits, dots, hyphens and underscores.'],
  image_missing: ['error', 'Only this file is deployed: the CVM pulls images and can’t build them.'],
  build_ignored: [
    'warning',
    'Only this file is deployed, so there is no source to build from; the image is pulled.',
  ],
  image_invalid: ['error', 'Write an image as [registry/]name[:tag][@sha256:digest].'],
  image_latest: [
    'warning',
    'The tag may point to another image tomorrow: the compose hash stays the same while different code runs. Pin the image by digest.',
  ],
  image_no_digest: [
    'warning',
    'A tag can be moved to another image: the compose hash stays the same while different code runs. Add @sha256:… to pin it.',
  ],
  image_variable: [
    'warning',
    'Variable values are not part of the compose hash, so the running image can’t be verified.',
  ],
  platform: [
    'warning',
    'TEE hosts run linux/amd64. An image for another architecture fails immediately with “exec format error”.',
  ],
  port_invalid: ['error', 'Write a port as [ip:][published:]target[/protocol], 1 to 65535.'],
  port_conflict: ['error', 'Two services can’t publish the same port of a CVM.'],
  port_random: ['warning', 'Without a published port, Docker picks a random one that has no public address.'],
  port_loopback: [
    'warning',
    'A port published on loopback is reachable only inside the CVM, not through the gateway.',
  ],
  ports_none: [
    'warning',
    'Nothing is reachable from outside. That is fine for a worker, but a web app needs ports.',
  ],
  ports_unpublished: [
    'info',
    'expose opens ports only to other services in this file. Add ports for access from outside.',
  ],
  variable_unset: [
    'warning',
    'docker compose substitutes an empty string. Add a secret with that name or a default: ${NAME:-default}.',
  ],
  variable_required: [
    'error',
    'The file requires a value for this variable; docker compose doesn’t start without one.',
  ],
  variable_syntax: [
    'error',
    'docker compose rejects the file. Write $$ for a dollar sign, ${NAME} for a variable.',
  ],
  secret_unused: [
    'warning',
    'The value would be encrypted and sent, but no container receives it. Reference it as ${NAME} or list it under environment.',
  ],
  secret_in_clear: [
    'warning',
    'Anyone with access to the app, and every verifier, can read the Compose file. Move the value to the encrypted secrets and write ${NAME} here.',
  ],
  env_file: [
    'warning',
    'Only this file is deployed; other files don’t exist unless the pre-launch script creates them.',
  ],
  extends: [
    'info',
    'The service takes the other one’s fields. The local teepod rejects this; a TEE host allows it. YAML anchors work on both.',
  ],
  extends_file: [
    'warning',
    'Only this file is deployed; other files don’t exist unless the pre-launch script creates them.',
  ],
  extends_loop: ['error', 'docker compose rejects services that extend each other in a circle.'],
  privileged: [
    'warning',
    'The container gets full control of the CVM. The local teepod rejects this; a TEE host allows it.',
  ],
  host_namespace: [
    'warning',
    'The container shares this namespace with the CVM. The local teepod rejects this; a TEE host allows it.',
  ],
  host_mount: [
    'warning',
    'The path is on the CVM, not on your machine. The local teepod rejects this; a TEE host allows it.',
  ],
  mount_relative: [
    'warning',
    'Only this file is deployed, so the folder is initially empty. Use a named volume to keep data.',
  ],
  docker_socket: [
    'warning',
    'Access to the Docker socket gives control of every container in the CVM. The local teepod rejects this; a TEE host allows it.',
  ],
  dstack_socket: [
    'info',
    'The container can request keys and attestation quotes. The local teepod has no TEE hardware and provides neither.',
  ],
  container_name: ['info', 'Container names are unique per engine, so the service can’t be scaled.'],
  restart_missing: [
    'info',
    'Without a restart policy, the container stays down after a crash or CVM restart.',
  ],
  reference_unknown: ['error', 'docker compose rejects references to undefined names.'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type FindingCode = keyof typeof CATALOGUE;

/** What a local teepod rejects and a TEE host allows. */
const LOCAL_REJECTS: ReadonlySet<FindingCode> = new Set([
  'privileged',
  'host_namespace',
  'host_mount',
  'docker_socket',
  'extends',
  'extends_file',
]);

export interface Finding {
  severity: Severity;
  code: FindingCode;
  /** What was found, in one sentence; contains names but never variable values. */
  message: string;
  /** The consequence and the fix. */
  explain: string;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 units like in editors. */
  column: number;
  service?: string;
  /** For example `services.web.ports[0]`; empty for the file as a whole. */
  path: string;
}

/** Maximum per severity. The list is rendered while the user types. */
const MAX_FINDINGS = 300;
/** Names come from the file and may be as long as it; characters. */
const MAX_TEXT = 400;

const clip = (text: string) => (text.length > MAX_TEXT ? `${cutWhole(text, MAX_TEXT - 1)}…` : text);

export class Findings {
  readonly list: Finding[] = [];
  private readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  private readonly locate: (offset: number) => { line: number; column: number };
  private readonly onlyLocal: boolean;
  constructor(locate: (offset: number) => { line: number; column: number }, onlyLocal = false) {
    this.locate = locate;
    this.onlyLocal = onlyLocal;
  }

  private severityOf(code: FindingCode): Severity {
    return this.onlyLocal && LOCAL_REJECTS.has(code) ? 'error' : CATALOGUE[code][0];
  }

  /** Errors have their own limit, so that warnings can't crowd them out. */
  isFull(code: FindingCode): boolean {
    return this.counts[this.severityOf(code)] >= MAX_FINDINGS;
  }

  add(code: FindingCode, offset: number, path: string, message: string, service?: string | undefined): void {
    if (this.isFull(code)) return;
    const [, explain] = CATALOGUE[code];
    const severity = this.severityOf(code);
    this.counts[severity]++;
    const finding: Finding = {
      severity,
      code,
      message: clip(message),
      explain,
      ...this.locate(offset),
      path: clip(path),
    };
    if (service !== undefined) finding.service = clip(service);
    this.list.push(finding);
  }

  sorted(): Finding[] {
    const weight = { error: 0, warning: 1, info: 2 };
    return this.list.sort(
      (a, b) => a.line - b.line || a.column - b.column || weight[a.severity] - weight[b.severity],
    );
  }
}
