import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../root';

/**
 * Request texts have a minimum length unless an empty one has a meaning; those are listed here. Names are
 * `Schema.property`, `Parameter` (a component) or `operationId?parameter`; `[]` is an item of a list.
 */
const EMPTY_ALLOWED: Record<string, readonly string[]> = {
  'clears the text, or there is none': [
    'AdminAiModelPatch.description',
    'AdminGpuPatch.description',
    'AdminGpuPatch.notes',
    'AdminInstanceTypePatch.description',
    'AdminKmsPatch.version',
    'AdminNodePatch.notes',
    'AdminOrderProductPatch.description',
    'AdminPromotionCodePatch.description',
    'AdminViewPatch.query',
    'BulkScalar',
    'CreateAdminAiModel.description',
    'CreateAdminGpu.description',
    'CreateAdminGpu.notes',
    'CreateAdminInstanceType.description',
    'CreateAdminOrderProduct.description',
    'CreateAdminKms.version',
    'CreateAdminNode.notes',
    'CreateAdminPromotionCode.description',
    'CreateAdminView.query',
    'CreateAppInstance.pre_launch_script',
    'CreateRollout.pre_launch_script',
    'CreateRollout.reason',
    'CreateRollout.user_config',
    'CreateWebhook.name',
    'CvmPatch.pre_launch_script',
    'CvmPatch.reason',
    'CvmPatch.user_config',
    'InitScript',
    'ProvisionComposeFile.pre_launch_script',
    'ProvisionCvmComposeFile.pre_launch_script',
    'PublishTeamAiModel.description',
    'PutSso.role_claim',
    'RedeployAppRevision.reason',
    'RedeployCvmRevision.reason',
    'ScriptText',
    'TeamAiModelPatch.description',
    'UpdateBillingDetails.address',
    'UpdateBillingDetails.legal_name',
    'UpdateBillingDetails.vat_id',
    'UpdateCvmEnvs.reason',
    'WebhookPatch.name',
  ],
  'is hex of no bytes: no environment, no identity': [
    'CommitCvmComposeFile.encrypted_env',
    'CreateAppInstance.encrypted_env',
    'CreateCvm.encrypted_env',
    'CreateCvmReplica.encrypted_env',
    'CreateRollout.encrypted_env',
    'CvmPatch.encrypted_env',
    'RedeployAppRevision.encrypted_env',
    'RedeployCvmRevision.encrypted_env',
    'UpdateCvmEnvs.encrypted_env',
    'ProvisionComposeFile.key_provider_id',
    'ProvisionCvmComposeFile.key_provider_id',
  ],
  'is the default, for published clients that send it': [
    'CheckAppIsAllowed.device_id',
    'CheckCvmIsAllowed.device_id',
    'CommitApproval.compose_hash',
    'CommitApproval.token',
    'CommitApproval.transaction_hash',
    'CommitCvmUpdate.compose_hash',
    'CreateAppInstance.token',
    'CreateAppInstance.transaction_hash',
    'CommitCvmUpdate.token',
    'CommitCvmUpdate.transaction_hash',
    'CreateAppInstance.compose_hash',
    'CreateCvmReplica.compose_hash',
    'CreateDeviceCode.scope',
    'GpuRequest.product_name',
    'ProvisionComposeFile.name',
    'ProvisionCvm.image',
    'ProvisionCvm.region',
    'ProvisionCvmComposeFile.name',
    'ProvisionCvmComposeFile.storage_fs',
    'StartSso.next',
    'commitCvmUpdate?token',
  ],
  'is refused with ERR-01-002 or ERR-01-003, codes that published clients know': [
    'ComposeText',
    'CreateAppInstance.docker_compose_file',
    'CvmPatch.docker_compose_file',
    'ProvisionComposeFile.docker_compose_file',
    'ProvisionCvmComposeFile.docker_compose_file',
  ],
  'is ignored, like any other value': [
    'CreateCvm.contract_address',
    'CreateCvm.deployer_address',
    'CreateCvm.kms_id',
    'CreateDeviceToken.client_id',
    'ProvisionComposeFile.bash_script',
    'ProvisionComposeFile.features[]',
    'ProvisionCvmComposeFile.manifest_version',
    'UpdateCvmEnvs.compose_hash',
    'UpdateCvmEnvs.transaction_hash',
  ],
  'filters nothing, as sent by an empty search field': [
    'AdminColumns',
    'AuditAction',
    'AuditActor',
    'AuditTarget',
    'AuditText',
    'EventKind',
    'EventQuery',
    'getAdminFleet?q',
    'getContainerLogs?since',
    'getContainerLogs?until',
    'getCvmLogs?since',
    'getCvmLogs?until',
    'listApps?search',
    'exportEvents?app_id',
    'exportEvents?cvm',
    'exportEvents?operation',
    'listEvents?app_id',
    'listEvents?cvm',
    'listEvents?operation',
    'listMembers?q',
    'listOperations?cvm',
    'listPublicApps?q',
    'streamEvents?Last-Event-ID',
    'streamEvents?app_id',
    'streamEvents?cvm',
    'streamEvents?operation',
  ],
  'selects the nodes without a region': ['getAdminFleet?region'],
  'comes from an identity provider; the browser is redirected to an error page': [
    'finishSso?code',
    'finishSso?error',
    'finishSso?error_description',
    'finishSso?iss',
    'finishSso?session_state',
    'finishSso?state',
  ],
};

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown;
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  contentMediaType?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}
type Media = Record<string, { schema: Schema }>;
interface Parameter {
  $ref?: string;
  name: string;
  schema?: Schema;
  content?: Media;
}
interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { $ref?: string; content?: Media };
}

const document = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
function resolve<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const keys = value.$ref.slice(2).split('/');
  return keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

const isOpenText = (schema: Schema) =>
  [schema.type].flat().includes('string') &&
  schema.minLength === undefined &&
  schema.enum === undefined &&
  schema.const === undefined &&
  schema.format === undefined &&
  schema.contentMediaType === undefined &&
  (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(''));

/** Returns the names of all texts in requests that may be empty. */
function textsWithoutMinimum(): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (given: Schema, at: string) => {
    const schema = resolve(given);
    if (given.$ref !== undefined) {
      at = nameOf(given.$ref);
      if (seen.has(at)) return;
      seen.add(at);
    }
    if (isOpenText(schema)) found.add(at);
    for (const part of [schema.oneOf, schema.anyOf, schema.allOf].flatMap((parts) => parts ?? []))
      walk(part, at);
    for (const [key, property] of Object.entries(schema.properties ?? {})) walk(property, `${at}.${key}`);
    if (schema.items) walk(schema.items, `${at}[]`);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${at}{}`);
  };
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    if (operation.operationId === undefined) continue;
    for (const given of operation.parameters ?? []) {
      const { name, schema, content } = resolve(given);
      const at = given.$ref === undefined ? `${operation.operationId}?${name}` : nameOf(given.$ref);
      for (const one of [schema, ...Object.values(content ?? {}).map((media) => media.schema)])
        if (one) walk(one, at);
    }
    const { content = {} } = resolve(operation.requestBody ?? {});
    for (const { schema } of Object.values(content)) walk(schema, operation.operationId);
  }
  return found;
}

describe('texts in requests', () => {
  const found = textsWithoutMinimum();
  const allowed = Object.values(EMPTY_ALLOWED).flat();

  it('have a minimum length, unless an empty text has a meaning', () => {
    expect([...found].filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('are listed here only while they may be empty', () => {
    expect(allowed.filter((name) => !found.has(name))).toEqual([]);
  });
});
