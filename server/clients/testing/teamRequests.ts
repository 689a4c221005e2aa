import { z } from 'zod';
import { ALL, EVERY, NEW, SDKS, type ClientRequest } from './clientRequest';
import * as cvms from './cvmStructs';
import { flag, int, maybeInt, maybeText, nullText, text } from './cvmStructs';
import { structs } from './structs';

/** Queries of the team, its hosts and the catalog. */
export const CATALOG: readonly ClientRequest[] = [
  { operation: 'getCurrentUser', clients: ALL, reply: () => structs.me },
  { operation: 'listWorkspaces', clients: SDKS, query: 'limit=20', reply: () => structs.teams },
  { operation: 'getWorkspace', clients: SDKS, reply: () => structs.team },
  { operation: 'getWorkspaceQuotas', clients: SDKS, reply: () => structs.quotas },
  { operation: 'listWorkspaceNodes', clients: ALL, query: 'page=1&page_size=30', reply: () => structs.nodes },
  { operation: 'listAvailableTeepods', clients: ALL, reply: () => structs.teepods },
  { operation: 'getCvmCreateResources', clients: NEW, reply: () => structs.createResources },
  { operation: 'listInstanceTypes', clients: ALL, reply: () => structs.instanceTypes },
  { operation: 'getInstanceTypeFamily', clients: ALL, reply: () => structs.instanceFamily },
  {
    operation: 'listOsImages',
    clients: ALL,
    query: 'page=1&page_size=100&is_dev=false',
    reply: () => structs.osImages,
  },
  {
    operation: 'listKms',
    clients: ALL,
    versions: { python: '2026-05-22' },
    query: 'page=1&page_size=100',
    reply: () => structs.kmsPage,
  },
  {
    operation: 'getKms',
    clients: SDKS,
    reply: (version) => (version < '2026-06-23' ? cvms.kmsInfo : structs.contract),
  },
  { operation: 'listKmsNodes', clients: ['python'], reply: () => structs.kmsNodes },
  { operation: 'getAppEnvPubkey', clients: EVERY, reply: () => structs.pubkey },
  { operation: 'getNextAppIds', clients: SDKS, query: 'counts=2', reply: () => structs.nextAppIds },
  { operation: 'getKmsOnChain', clients: ALL, reply: () => structs.onChain },
  { operation: 'listSshKeys', clients: ALL, reply: () => structs.sshKeys },
  {
    operation: 'createSshKey',
    clients: ALL,
    body: { name: '{new_name}', public_key: '{ssh_key}' },
    status: 201,
    reply: () => structs.sshKey,
  },
];

export const APPS: readonly ClientRequest[] = [
  {
    operation: 'listApps',
    clients: ALL,
    query: 'page=1&page_size=50&search={name}&status=running&status=stopped',
    reply: () =>
      z.looseObject({
        dstack_apps: z.array(cvms.app).min(1),
        page: int,
        page_size: int,
        total: int,
        total_pages: int,
      }),
  },
  {
    operation: 'getAppFilterOptions',
    clients: SDKS,
    reply: () =>
      z.looseObject({
        statuses: z.array(text),
        image_versions: z.array(text),
        instance_types: z.array(text),
        kms_slugs: z.array(text),
        kms_types: z.array(text),
        regions: z.array(text),
        nodes: z.array(text),
      }),
  },
  { operation: 'getApp', clients: ALL, reply: () => cvms.app },
  { operation: 'listAppCvms', clients: ALL, reply: () => z.array(cvms.cvm).min(1) },
  {
    operation: 'listAppRevisions',
    clients: SDKS,
    query: 'page=1&page_size=20',
    reply: () =>
      z.looseObject({
        revisions: z.array(cvms.revision).min(1),
        page: int,
        page_size: int,
        total: int,
        total_pages: int,
      }),
  },
  {
    operation: 'getAppRevision',
    clients: SDKS,
    query: 'raw_compose_file=true',
    reply: () =>
      cvms.revision.extend({
        compose_file: z.union([text, z.looseObject({})]).nullish(),
        encrypted_env: text,
        user_config: text,
      }),
  },
  {
    operation: 'redeployAppRevision',
    clients: NEW,
    body: { vm_uuids: ['{vm_uuid}'] },
    status: 202,
    reply: () => z.looseObject({}),
  },
  {
    operation: 'createAppInstance',
    clients: ALL,
    body: { name: '{new_name}' },
    python: {
      name: '{new_name}',
      node_id: null,
      docker_compose_file: null,
      pre_launch_script: null,
      encrypted_env: null,
      compose_hash: null,
      token: null,
      transaction_hash: null,
    },
    reply: (version) =>
      version < '2026-05-22' ? cvms.vm(version) : cvms.cvmDetail.extend({ manifest_version: maybeText }),
  },
  {
    operation: 'getAppDeviceAllowlist',
    clients: ALL,
    reply: (version) =>
      z.looseObject({
        is_onchain_kms: flag,
        allow_any_device: flag.nullish(),
        chain_id: maybeInt,
        app_contract_address: maybeText,
        devices: z.array(
          z.looseObject({
            device_id: text,
            node_name: nullText,
            cvm_ids: z.array(version < '2026-05-22' ? int : text),
            allowed_onchain: flag,
            status: text,
          }),
        ),
      }),
  },
  {
    operation: 'checkAppIsAllowed',
    clients: SDKS,
    body: { compose_hash: '{compose_hash}' },
    python: { compose_hash: '{compose_hash}', node_id: null, device_id: null, chain_id: null },
    reply: cvms.isAllowed,
  },
  {
    operation: 'checkAppCvmsIsAllowed',
    clients: SDKS,
    body: {},
    reply: (version) =>
      z.looseObject({
        is_onchain: flag,
        results: z.array(cvms.isAllowed(version).required({ cvm_id: true })).min(1),
        total: int,
        allowed_count: int,
        denied_count: int,
        error_count: int,
        skipped_cvm_ids: z.array(version < '2026-05-22' ? int : text),
      }),
  },
  {
    operation: 'getAppAttestations',
    clients: SDKS,
    reply: () =>
      z.looseObject({
        app_id: text,
        contract_address: text,
        kms_info: z.looseObject({
          contract_address: text,
          chain_id: nullText,
          version: text,
          url: text,
          gateway_app_id: nullText,
          gateway_app_url: text,
          kms_type: text,
        }),
        instances: z.array(z.looseObject({ vm_uuid: maybeText, quote: maybeText })),
        kms_guest_agent_info: z.looseObject({}).nullable(),
        gateway_guest_agent_info: z.looseObject({}).nullable(),
        qemu_version: nullText,
      }),
  },
];
