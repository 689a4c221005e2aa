import { z } from 'zod';
import { ALL, EVERY, SDKS, type ClientRequest } from './clientRequest';
import * as cvms from './cvmStructs';
import { flag, int, maybeInt, maybeText, nullText, text } from './cvmStructs';
import { paged } from './structs';
import { APPS, CATALOG } from './teamRequests';

const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
const OTHER_COMPOSE = 'services:\n  web:\n    image: nginx:1.29\n';
const SEALED = 'ab'.repeat(80);
const provision = {
  name: '{new_name}',
  instance_type: 'tdx.small',
  compose_file: { docker_compose_file: COMPOSE },
};

const CVM_READS: readonly ClientRequest[] = [
  {
    operation: 'getCvm',
    clients: EVERY,
    reply: (version) => (version < '2026-01-21' ? cvms.cvmDetail2025 : cvms.cvmDetail),
  },
  {
    operation: 'listCvmsPaginated',
    clients: ALL,
    query: 'page=1&page_size=10&family=cpu&instance_types=tdx.small',
    reply: () => paged(cvms.cvm),
  },
  {
    operation: 'getStatusBatch',
    clients: ALL,
    body: { vm_uuids: ['{vm_uuid}'] },
    reply: () => z.record(text, cvms.batchStatus),
  },
  { operation: 'getCvmState', clients: SDKS, reply: () => cvms.state },
  {
    operation: 'getCvmComposition',
    clients: ALL,
    reply: () =>
      z.looseObject({
        ...cvms.offline,
        docker_compose_file: nullText,
        manifest_version: int.nullable(),
        version: nullText,
        runner: nullText,
        features: z.array(text).nullable(),
        containers: z.array(cvms.container).nullable(),
      }),
  },
  {
    operation: 'getCvmAttestation',
    clients: ALL,
    reply: () =>
      z.looseObject({
        ...cvms.offline,
        name: nullText,
        app_certificates: z.array(z.looseObject({ fingerprint: text, is_ca: flag })).nullable(),
        tcb_info: z.looseObject({ mrtd: text, rtmr3: text, app_compose: text }).nullable(),
        compose_file: nullText,
      }),
  },
  {
    operation: 'getCvmStats',
    clients: SDKS,
    reply: () =>
      z.looseObject({
        ...cvms.offline,
        sysinfo: z.looseObject({ num_cpus: int, total_memory: int, loadavg_one: z.number() }).nullable(),
        status: nullText,
        in_progress: flag,
        boot_progress: nullText,
        boot_error: nullText,
      }),
  },
  {
    operation: 'getCvmNetwork',
    clients: SDKS,
    reply: () =>
      z.looseObject({
        ...cvms.offline,
        internal_ip: nullText,
        latest_handshake: nullText,
        public_urls: z.array(cvms.appUrl).nullable(),
      }),
  },
  {
    operation: 'getCvmUserConfig',
    clients: ALL,
    reply: () =>
      z.looseObject({
        hostname: maybeText,
        ssh_authorized_keys: z.array(text),
        default_gateway_domain: maybeText,
      }),
  },
  {
    operation: 'getCvmComposeFile',
    clients: SDKS,
    reply: () => z.looseObject({ docker_compose_file: text, salt: maybeText }),
  },
  { operation: 'getCvmDockerCompose', clients: SDKS, reply: () => text.min(1) },
  { operation: 'getCvmPreLaunchScript', clients: SDKS, reply: () => text },
  { operation: 'listCvmOsImages', clients: SDKS, reply: () => z.array(cvms.availableImage) },
  { operation: 'checkCvmIsAllowed', clients: SDKS, body: {}, reply: cvms.isAllowed },
];

const confirmation = { compose_hash: null, transaction_hash: null };

const CVM_WRITES: readonly ClientRequest[] = [
  {
    operation: 'provisionCvm',
    clients: ['deploy', ...SDKS],
    body: provision,
    python: { ...provision, node_id: null, image: null, kms_contract_id: null, disk_size: null },
    reply: () =>
      z.looseObject({
        compose_hash: text,
        app_id: text,
        app_env_encrypt_pubkey: text,
        kms_info: cvms.kmsInfo.nullish(),
        teepod_id: maybeInt,
        kms_id: maybeText,
        kms_contract_id: maybeText,
      }),
  },
  {
    operation: 'createCvm',
    clients: ['deploy', ...SDKS],
    after: 'provisionCvm',
    body: { app_id: '{app_id}', compose_hash: '{compose_hash}' },
    python: {
      app_id: '{app_id}',
      compose_hash: '{compose_hash}',
      encrypted_env: null,
      env_keys: null,
      kms_id: null,
      contract_address: null,
      deployer_address: null,
    },
    reply: cvms.vm,
  },
  { operation: 'startCvm', clients: ALL, state: 'stopped', reply: cvms.vm },
  { operation: 'stopCvm', clients: ALL, reply: cvms.vm },
  { operation: 'shutdownCvm', clients: SDKS, reply: cvms.vm },
  { operation: 'restartCvm', clients: ALL, body: { force: false }, reply: cvms.vm },
  { operation: 'createCvmReplica', clients: ALL, body: {}, reply: cvms.vm },
  {
    operation: 'patchCvm',
    clients: ['deploy', ...SDKS],
    body: { docker_compose_file: OTHER_COMPOSE, public_logs: false },
    status: 202,
    reply: () => cvms.accepted,
  },
  {
    operation: 'updateCvmEnvs',
    clients: ALL,
    body: { encrypted_env: SEALED, env_keys: ['GREETING'] },
    python: { encrypted_env: SEALED, env_keys: ['GREETING'], ...confirmation },
    status: 202,
    reply: () => cvms.changing.extend({ allowed_envs_changed: flag }),
  },
  {
    operation: 'updateCvmResources',
    clients: ALL,
    body: { disk_size: 30, allow_restart: true },
    python: { vcpu: null, memory: null, disk_size: 30, instance_type: null, allow_restart: true },
    status: 202,
  },
  {
    operation: 'updateDockerCompose',
    clients: SDKS,
    body: OTHER_COMPOSE,
    contentType: 'text/yaml',
    status: 202,
    reply: () => cvms.changing,
  },
  {
    operation: 'updatePreLaunchScript',
    clients: SDKS,
    body: 'echo changed\n',
    contentType: 'text/plain',
    status: 202,
    reply: () => cvms.changing,
  },
  {
    operation: 'provisionCvmComposeFile',
    clients: SDKS,
    body: { docker_compose_file: OTHER_COMPOSE },
    python: { docker_compose_file: OTHER_COMPOSE, update_env_vars: null },
    reply: () =>
      z.looseObject({
        app_id: nullText,
        device_id: nullText,
        compose_hash: text,
        kms_info: cvms.kmsInfo.nullish(),
        compose_hash_registered: flag,
      }),
  },
  {
    operation: 'commitCvmComposeFile',
    clients: SDKS,
    after: 'provisionCvmComposeFile',
    body: { compose_hash: '{compose_hash}' },
    python: { compose_hash: '{compose_hash}', encrypted_env: null, env_keys: null, update_env_vars: null },
    status: 202,
  },
  {
    operation: 'updateCvmVisibility',
    clients: SDKS,
    body: { public_logs: false, public_sysinfo: false },
    reply: (version) => (version < '2026-05-22' ? cvms.cvmDetail2025 : cvms.cvmDetail),
  },
  { operation: 'updateCvmOsImage', clients: SDKS, body: { os_image_name: '{other_image}' }, status: 202 },
  { operation: 'refreshCvmInstanceId', clients: SDKS, body: { dry_run: true }, reply: cvms.refresh },
  {
    operation: 'refreshCvmInstanceIds',
    clients: SDKS,
    body: { cvm_ids: ['{public_id}'], dry_run: true },
    python: { cvm_ids: ['{public_id}'], running_only: null, missing_only: null, limit: null, dry_run: true },
    reply: (version) =>
      z.looseObject({
        total: int,
        scanned: int,
        updated: int,
        unchanged: int,
        skipped: int,
        conflicts: int,
        errors: int,
        items: z.array(cvms.refresh(version)).min(1),
      }),
  },
  { operation: 'deleteCvm', clients: ALL, status: 204 },
];

export const REQUESTS: readonly ClientRequest[] = [...CATALOG, ...APPS, ...CVM_READS, ...CVM_WRITES];
