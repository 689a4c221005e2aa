// What goes into the verifier and what comes out. Everything in `Evidence` is hostile until a check says otherwise;
// what the person or the product decides to trust stands in `Policy` and never in the evidence.

/** One entry of the guest's event log (dstack: the TD's CCEL entries, then the runtime events of imr 3). */
export interface EventLogEntry {
  imr: number;
  event_type: number;
  /** SHA-384, hex; guests of 0.6 leave it empty for runtime events. */
  digest: string;
  event: string;
  /** Hex. */
  event_payload: string;
  version?: number | undefined;
  /** Hex of the bytes that were hashed (V2 events). */
  preimage?: string | undefined;
}

/** Intel's signed statements about chips and enclaves, as a PCCS serves them (names are dcap-qvl's). */
export interface Collateral {
  /** PEM, issuer of `pck_crl` first. */
  pck_crl_issuer_chain: string;
  /** DER, hex. */
  root_ca_crl: string;
  /** DER, hex. */
  pck_crl: string;
  tcb_info_issuer_chain: string;
  /** The exact text that was signed: never parse it and write it again. */
  tcb_info: string;
  /** r ‖ s, 64 bytes hex. */
  tcb_info_signature: string;
  qe_identity_issuer_chain: string;
  /** The exact text that was signed. */
  qe_identity: string;
  qe_identity_signature: string;
  /** PEM; only for quotes that do not carry their chain themselves. */
  pck_certificate_chain?: string | undefined;
}

/** What the control plane or the guest says about the CVM beside the quote; each value is compared with the quote. */
export interface Claims {
  mrtd?: string | undefined;
  rtmr0?: string | undefined;
  rtmr1?: string | undefined;
  rtmr2?: string | undefined;
  rtmr3?: string | undefined;
  mr_aggregated?: string | undefined;
  app_id?: string | undefined;
  compose_hash?: string | undefined;
  instance_id?: string | undefined;
  device_id?: string | undefined;
}

export interface Evidence {
  /** TDX quote (v4 or v5), hex. */
  quote?: string | undefined;
  /** JSON text as the guest gave it. */
  event_log?: string | undefined;
  /** The exact text of app-compose.json: its SHA-256 is the compose hash. */
  app_compose?: string | undefined;
  /** JSON text as the guest gave it (memory, QEMU version, the measurement of 0.6 "lite" images). */
  vm_config?: string | undefined;
  /** The document of MrConfig V3 as the host wrote it, where there is one. */
  mr_config?: string | undefined;
  collateral?: Collateral | undefined;
  claims?: Claims | undefined;
  /** Said by a host without a TEE of itself. It can only ever take trust away: the report is then `simulated`. */
  simulated?: boolean | undefined;
}

/** Statuses in Intel's TCB info and QE identity, and what becomes of them together. */
export const TCB_STATUSES = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'Revoked',
] as const;
export type TcbStatus = (typeof TCB_STATUSES)[number];

/** Measurements of an OS image on one machine shape, for images that a browser cannot measure (before 0.6). */
export interface OsMeasurement {
  name: string;
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
}

/** What must be there, and what is good enough. Hex without regard to case; a list left out means "nothing to compare with". */
export interface Policy {
  /** `quote`: a genuine, current TD made this quote. `app`: also which OS and which app run in it. */
  scope: 'quote' | 'app';
  /** Statuses beside UpToDate that end in "verified with exceptions" instead of "not verified". Revoked never does. */
  accepted_tcb: readonly TcbStatus[];
  /** Bytes the quote was asked to hold: hex, up to 64 bytes; shorter values are zero-padded like the guest does. */
  report_data?: string | undefined;
  app_id?: string | undefined;
  compose_hash?: string | undefined;
  instance_id?: string | undefined;
  /** Machines it may run on. */
  device_ids?: readonly string[] | undefined;
  /** Kinds of key provider that may hold the disk key; default kms and local-sgx. */
  key_provider_kinds?: readonly string[] | undefined;
  /** KMS root keys (SPKI DER hex) or measurements of a sealing provider. */
  key_provider_ids?: readonly string[] | undefined;
  os_image_hashes?: readonly string[] | undefined;
  os_measurements?: readonly OsMeasurement[] | undefined;
}

/** Names of the checks: stable, they are shown, stored and tested. */
export type CheckId = (typeof CHECK_IDS)[number];
export const CHECK_IDS = [
  'hardware',
  'quote.format',
  'quote.header',
  'quote.signature',
  'quote.attestation_key',
  'qe.signature',
  'qe.identity',
  'qe.identity_signature',
  'pck.chain',
  'pck.extensions',
  'crl.root',
  'crl.pck',
  'revocation',
  'tcb.signature',
  'tcb.match',
  'tcb.module',
  'tcb.status',
  'td.attributes',
  'td.module_signer',
  'report_data',
  'events.format',
  'events.digests',
  'events.order',
  'rtmr.boot',
  'rtmr3',
  'os.image',
  'os.known',
  'compose.hash',
  'compose.expected',
  'app.id',
  'instance.id',
  'key_provider',
  'device.id',
  'mr_config_id',
  'claims',
] as const;

export type CheckState = 'passed' | 'failed' | 'skipped' | 'warning';

/** Where a check belongs on a page: from the chip up. */
export type CheckGroup = 'platform' | 'quote' | 'os' | 'app';

export interface Check {
  id: CheckId;
  group: CheckGroup;
  title: string;
  state: CheckState;
  /** One or more plain sentences: what was compared with what, and why it failed. */
  detail: string;
  /** Parts of the evidence that went in. */
  inputs: string[];
  /** What had to be believed for this to mean anything. */
  trusted: string[];
  /** Seconds since what was checked was issued; absent where it has no date. */
  age?: number | undefined;
  /** A required check that was skipped leaves the report `unknown`; others are only worth knowing. */
  required: boolean;
}

export type ReportState = 'verified' | 'verified with exceptions' | 'not verified' | 'unknown' | 'simulated';

/** Values read on the way, all hex lower case. Only as good as the report's state. */
export interface Facts {
  quote_version?: number | undefined;
  mrtd?: string | undefined;
  rtmr0?: string | undefined;
  rtmr1?: string | undefined;
  rtmr2?: string | undefined;
  rtmr3?: string | undefined;
  mr_config_id?: string | undefined;
  mr_aggregated?: string | undefined;
  mr_system?: string | undefined;
  report_data?: string | undefined;
  td_attributes?: string | undefined;
  fmspc?: string | undefined;
  ppid?: string | undefined;
  /** SHA-256 of the PPID: what guests from 0.5.6 on are known by. */
  device_id?: string | undefined;
  /** SHA-256 of the quote's user data: what guests up to 0.5.5 are known by. */
  device_id_legacy?: string | undefined;
  tcb_status?: TcbStatus | undefined;
  advisory_ids?: string[] | undefined;
  app_id?: string | undefined;
  compose_hash?: string | undefined;
  instance_id?: string | undefined;
  os_image_hash?: string | undefined;
  key_provider?: { name: string; id: string } | undefined;
  /** Names of events the app itself added after system-ready: they say nothing about the system. */
  app_events?: string[] | undefined;
  /** ISO time after which some collateral used here is stale. */
  fresh_until?: string | undefined;
}

export interface Report {
  state: ReportState;
  checks: Check[];
  facts: Facts;
  /** Unix seconds: the clock the dates were checked against. */
  verified_at: number;
}

export interface VerifyOptions {
  /** Unix seconds. */
  now: number;
  policy: Policy;
  /** Root certificates (PEM) instead of the pinned Intel SGX Root CA: for tests and development kits, and named in the report. */
  roots?: readonly string[] | undefined;
}
