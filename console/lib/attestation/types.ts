// The verifier's input and output. Everything in `Evidence` is hostile until checked; what the user or product
// decides to trust is in `Policy`, never in the evidence.

/** One entry of the guest's event log (dstack: the TD's CCEL entries, then the runtime events of imr 3). */
export interface EventLogEntry {
  imr: number;
  event_type: number;
  /** SHA-384, hex; empty for runtime events of 0.6 guests. */
  digest: string;
  event: string;
  /** Hex. */
  event_payload: string;
  version?: number | undefined;
  /** Hex of the hashed bytes (V2 events). */
  preimage?: string | undefined;
}

/** Intel's signed statements about chips and enclaves, as served by a PCCS (field names as in dcap-qvl). */
export interface Collateral {
  /** PEM, issuer of `pck_crl` first. */
  pck_crl_issuer_chain: string;
  /** DER, hex. */
  root_ca_crl: string;
  /** DER, hex. */
  pck_crl: string;
  tcb_info_issuer_chain: string;
  /** The exact signed text: never parse and reserialize it. */
  tcb_info: string;
  /** r ‖ s, 64 bytes hex. */
  tcb_info_signature: string;
  qe_identity_issuer_chain: string;
  /** The exact signed text. */
  qe_identity: string;
  qe_identity_signature: string;
  /** PEM; only for quotes without their own chain. */
  pck_certificate_chain?: string | undefined;
}

/** The control plane's or guest's description of the CVM; each value is compared with the quote. */
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
  /** JSON text as the guest returned it. */
  event_log?: string | undefined;
  /** The exact text of app-compose.json: its SHA-256 is the compose hash. */
  app_compose?: string | undefined;
  /** JSON text as the guest returned it (memory, QEMU version, measurement of 0.6 "lite" images). */
  vm_config?: string | undefined;
  /** The MrConfig V3 document as the host wrote it, if there is one. */
  mr_config?: string | undefined;
  /** PEM, leaf first: the guest's certificates (RA-TLS). */
  certificate_chain?: string | undefined;
  collateral?: Collateral | undefined;
  claims?: Claims | undefined;
  /** NVIDIA's reports and certificates as JSON text, exactly as the guest returned it: its hash may be measured. */
  nvidia_payload?: string | undefined;
  /** A host's statement that it has no TEE. It can only lower trust: the report is then `simulated`. */
  simulated?: boolean | undefined;
}

/** Statuses in Intel's TCB info and QE identity, and how they combine. */
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

/** Measurements of an OS image on one machine shape, for images a browser can't measure (before 0.6). */
export interface OsMeasurement {
  name: string;
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
}

/** Requirements and accepted exceptions. Hex is case-insensitive; an omitted list means "not compared". */
export interface Policy {
  /** `quote`: a genuine, current TD produced this quote. `app`: also verifies its OS and app. */
  scope: 'quote' | 'app';
  /**
   * Statuses besides UpToDate that result in "verified with exceptions" instead of "not verified". Revoked
   * never does.
   */
  accepted_tcb: readonly TcbStatus[];
  /**
   * Report data required in the quote: hex, up to 64 bytes; shorter values are zero-padded like in the guest.
   */
  report_data?: string | undefined;
  /** Nonce required in the GPU's report: 32 bytes of hex. */
  gpu_nonce?: string | undefined;
  app_id?: string | undefined;
  compose_hash?: string | undefined;
  instance_id?: string | undefined;
  /** Devices it may run on. */
  device_ids?: readonly string[] | undefined;
  /** Kinds of key provider that may hold the disk key; default kms and local-sgx. */
  key_provider_kinds?: readonly string[] | undefined;
  /** KMS root keys (SPKI DER hex), or measurements of a sealing provider. */
  key_provider_ids?: readonly string[] | undefined;
  /**
   * KMS root keys (SPKI DER hex) pinned by the verifying side: the key provider must be a KMS with one of them.
   */
  kms_roots?: readonly string[] | undefined;
  os_image_hashes?: readonly string[] | undefined;
  os_measurements?: readonly OsMeasurement[] | undefined;
}

/**
 * Check IDs. Stable, because they are displayed, stored and tested. `certificates` is included only if there are some
 * beside a quote.
 */
export type CheckId = (typeof CHECK_IDS)[number] | GpuCheckId | 'certificates';
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
  'kms.root',
  'gpu',
  'device.id',
  'mr_config_id',
  'claims',
] as const;

/** Checks of NVIDIA's evidence, included only if there is some or the policy has a GPU challenge. */
export type GpuCheckId = (typeof GPU_CHECK_IDS)[number];
export const GPU_CHECK_IDS = [
  'gpu.evidence',
  'gpu.chain',
  'gpu.signature',
  'gpu.firmware',
  'gpu.nonce',
  'gpu.binding',
  'gpu.measurements',
  'gpu.revocation',
  'gpu.mode',
] as const;

export type CheckState = 'passed' | 'failed' | 'skipped' | 'warning';

/** The check's section on a page, from the chip up. */
export type CheckGroup = 'platform' | 'quote' | 'os' | 'app';

export interface Check {
  id: CheckId;
  group: CheckGroup;
  title: string;
  state: CheckState;
  /** One or more sentences: what was compared, and why it failed. */
  detail: string;
  /** Parts of the evidence it used. */
  inputs: string[];
  /** What this check relies on. */
  trusted: string[];
  /** Age in seconds of what was checked; absent if undated. */
  age?: number | undefined;
  /** A skipped required check leaves the report `unknown`; others are informational. */
  required: boolean;
}

export type ReportState = 'verified' | 'verified with exceptions' | 'not verified' | 'unknown' | 'simulated';

/** Values from a GPU's signed report. */
export interface GpuFacts {
  /** From its certificate. */
  name: string;
  driver?: string | undefined;
  vbios?: string | undefined;
  project?: string | undefined;
  project_sku?: string | undefined;
}

/** Values found during verification, all lowercase hex. Only as trustworthy as the report's state. */
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
  /** SHA-256 of the PPID: device ID of guests since 0.5.6. */
  device_id?: string | undefined;
  /** SHA-256 of the quote's user data: device ID of guests up to 0.5.5. */
  device_id_legacy?: string | undefined;
  tcb_status?: TcbStatus | undefined;
  advisory_ids?: string[] | undefined;
  app_id?: string | undefined;
  compose_hash?: string | undefined;
  instance_id?: string | undefined;
  os_image_hash?: string | undefined;
  key_provider?: { name: string; id: string } | undefined;
  /** Events the app itself added after system-ready; they prove nothing about the system. */
  app_events?: string[] | undefined;
  /** References to a GPU (Compose file, VM configuration, events); absent if there are none. */
  gpu_named_by?: string[] | undefined;
  /** What the guest measured about its GPUs, as a sentence. */
  gpu_claims?: string | undefined;
  /** What was left unchecked about the GPU. */
  gpu_unchecked?: string[] | undefined;
  /** The GPUs whose reports have a valid signature under NVIDIA's root. */
  gpus?: GpuFacts[] | undefined;
  /** ISO time when the first of the collateral used here expires. */
  fresh_until?: string | undefined;
}

/** Source of the trusted root certificates. */
export interface TrustedRoots {
  /** `built-in`: this program's roots (Intel, NVIDIA). `caller`: others, passed with the request. */
  source: 'built-in' | 'caller';
  certificates: { name: string; sha256: string }[];
}

export interface Report {
  /** First, so that a report under a caller's root shows it at the top. */
  roots: TrustedRoots;
  state: ReportState;
  /** Whether the host states that it has no TEE. If so, the state is `simulated` or `not verified`. */
  simulated: boolean;
  checks: Check[];
  facts: Facts;
  /** Unix seconds: the clock used to check dates. */
  verified_at: number;
}

export interface VerifyOptions {
  /** Unix seconds. */
  now: number;
  policy: Policy;
  /**
   * Root certificates (PEM) instead of the built-in Intel SGX Root CA, for tests and development kits. The
   * report lists them.
   */
  roots?: readonly string[] | undefined;
  /**
   * Root certificates (PEM, P-384) instead of the built-in NVIDIA Device Identity CA, also listed in the report.
   */
  gpu_roots?: readonly string[] | undefined;
}
