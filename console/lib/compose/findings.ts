// The vocabulary of the preflight: every finding's severity and what it means for the person.

export type Severity = 'error' | 'warning' | 'info';

const CATALOGUE = {
  yaml_syntax: ['error', 'The file is not valid YAML, so nothing in it can be read.'],
  yaml_warning: ['warning', 'The YAML can be read, but part of it is unusual.'],
  too_large: ['error', 'Compose file and pre-launch script together may be 204,800 bytes.'],
  too_complex: [
    'error',
    'The file nests or repeats too much to be checked; docker compose would refuse it too.',
  ],
  not_unicode: [
    'error',
    'Text that is not valid Unicode has no stable bytes, so it has no stable compose hash.',
  ],
  alias_unknown: ['error', 'An alias (*name) needs an anchor (&name) above it.'],
  duplicate_key: ['error', 'A key may appear once in a mapping; docker compose refuses the file.'],
  file_empty: ['error', 'A compose file needs at least one service with an image.'],
  wrong_type: ['error', 'docker compose refuses a value of this kind here.'],
  unknown_field: [
    'warning',
    'docker compose refuses fields it does not know; names that start with x- are free.',
  ],
  version_obsolete: ['info', 'docker compose ignores the version field; it can be removed.'],
  services_missing: ['error', 'Containers are listed under the key services.'],
  service_name: ['error', 'Service names use letters, digits, dots, dashes and underscores.'],
  image_missing: ['error', 'The CVM gets this file and nothing else: it pulls images and cannot build them.'],
  build_ignored: [
    'warning',
    'The CVM gets this file and nothing else, so there is no source to build from; the image is pulled.',
  ],
  image_invalid: ['error', 'An image is written [registry/]name[:tag][@sha256:digest].'],
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
    'Values of variables are not part of the compose hash, so nobody can verify which image runs.',
  ],
  platform: [
    'warning',
    'TEE hosts run linux/amd64. An image of another architecture stops at once with “exec format error”.',
  ],
  port_invalid: ['error', 'A port is written [ip:][published:]target[/protocol], 1 to 65535.'],
  port_conflict: ['error', 'Two services cannot publish the same port of one CVM.'],
  port_random: [
    'warning',
    'Without a published port docker picks a random one, and the public address cannot name it.',
  ],
  port_loopback: [
    'warning',
    'A port published on loopback is reachable inside the CVM only, not through the gateway.',
  ],
  ports_none: [
    'warning',
    'Nothing can be reached from outside. That is right for a worker; a web app needs ports.',
  ],
  ports_unpublished: [
    'info',
    'expose reaches other services of this file only. Add ports to reach it from outside.',
  ],
  variable_unset: [
    'warning',
    'docker compose puts an empty text in its place. Add a secret of that name or a default: ${NAME:-default}.',
  ],
  variable_required: [
    'error',
    'The file says that this variable must have a value; docker compose refuses to start without.',
  ],
  variable_syntax: [
    'error',
    'docker compose refuses the file. Write $$ for a plain dollar sign, ${NAME} for a variable.',
  ],
  secret_unused: [
    'warning',
    'The value would be sealed and sent, but no container receives it. Refer to it with ${NAME} or list it under environment.',
  ],
  secret_in_clear: [
    'warning',
    'The compose file can be read by everyone who may see the app, and by verifiers. Move the value to the encrypted secrets and write ${NAME} here.',
  ],
  env_file: [
    'warning',
    'The CVM gets this file and nothing else; files beside it do not exist unless the pre-launch script makes them.',
  ],
  privileged: [
    'warning',
    'The container gets full rights over the CVM. The local teepod refuses it; a TEE host allows it.',
  ],
  host_namespace: [
    'warning',
    'The container shares this with the CVM itself. The local teepod refuses it; a TEE host allows it.',
  ],
  host_mount: [
    'warning',
    "The path is the CVM's own, not your machine's. The local teepod refuses it; a TEE host allows it.",
  ],
  mount_relative: [
    'warning',
    'The CVM gets this file and nothing else, so the folder is empty at the start. A named volume keeps data just as well.',
  ],
  docker_socket: [
    'warning',
    'Whoever holds the docker socket controls every container of the CVM. The local teepod refuses it; a TEE host allows it.',
  ],
  dstack_socket: [
    'info',
    'The container can ask for keys and attestation quotes. The local teepod has no such hardware and offers neither.',
  ],
  container_name: [
    'info',
    'A fixed name cannot be used twice on one engine, so the service cannot be scaled.',
  ],
  restart_missing: [
    'info',
    'Without a restart policy the container stays down after a crash or a restart of the CVM.',
  ],
  reference_unknown: ['error', 'docker compose refuses a file that refers to what it does not define.'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type FindingCode = keyof typeof CATALOGUE;

export interface Finding {
  severity: Severity;
  code: FindingCode;
  /** What was found, in one sentence; names things, never repeats values of variables. */
  message: string;
  /** What it means and what to do. */
  explain: string;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 units like editors count. */
  column: number;
  service?: string;
  /** For example `services.web.ports[0]`; empty for the file as a whole. */
  path: string;
}

/** More would help nobody, and the list is rendered while the person types. */
const MAX_FINDINGS = 500;

export class Findings {
  readonly list: Finding[] = [];
  private readonly locate: (offset: number) => { line: number; column: number };
  constructor(locate: (offset: number) => { line: number; column: number }) {
    this.locate = locate;
  }

  add(code: FindingCode, offset: number, path: string, message: string, service?: string | undefined): void {
    if (this.list.length >= MAX_FINDINGS) return;
    const [severity, explain] = CATALOGUE[code];
    const finding: Finding = { severity, code, message, explain, ...this.locate(offset), path };
    if (service !== undefined) finding.service = service;
    this.list.push(finding);
  }

  sorted(): Finding[] {
    const weight = { error: 0, warning: 1, info: 2 };
    return this.list.sort(
      (a, b) => a.line - b.line || a.column - b.column || weight[a.severity] - weight[b.severity],
    );
  }
}
